// Text and form are two views of one sheet: the server reads the one, and the other follows. It keeps nothing of it.
import { fill } from "./orderfields.js";

const form = document.getElementById("orders");
const box = document.getElementById("orders-text");
const taken = form?.elements["text-taken"];
const part = (name) => document.querySelector(`#text [data-${name}]`);
const PAUSES = { text: 400, form: 200 };

let asked = 0;
let timer;
let running;
let written = taken?.value;
let before = null;
let isMisread = false;

function later(from, pause = PAUSES[from]) {
  clearTimeout(timer);
  timer = setTimeout(() => ask(from), pause);
}

async function ask(from) {
  const number = ++asked;
  const text = box.value;
  const body = new URLSearchParams(new FormData(form));
  body.set("from", from);
  running?.abort();
  running = new AbortController();
  try {
    const answer = await fetch(form.dataset.read, { method: "POST", body, signal: running.signal });
    const told = await answer.json();
    if (number !== asked) return;
    if (answer.status === 429) later(from, 1000 * (Number(answer.headers.get("retry-after")) || 5));
    show(told);
    if (answer.ok) (from === "text" ? textWasRead : formWasRead)(told, text);
    for (const one of told.refused ?? []) card(one.unit)?.classList.add("wrong");
  } catch (error) {
    if (number !== asked || error.name === "AbortError") return;
    part("text-says").textContent = part("text-says").dataset.offline;
    form.dispatchEvent(new CustomEvent("fp:text"));
  }
}

function show(told) {
  part("text-says").textContent = told.says;
  list(part("refused"), told.refused);
  list(part("warned"), told.warned);
}

function textWasRead(told, text) {
  if (box.value !== text) return;
  isMisread = told.faults.length > 0;
  if (isMisread) box.setAttribute("aria-invalid", "true");
  else box.removeAttribute("aria-invalid");
  mark(text, told.faults);
  offer(text, told.asides);
  reply(told.replies ?? []);
  if (isMisread) {
    form.dispatchEvent(new CustomEvent("fp:text"));
    return;
  }
  part("choices").hidden = true;
  for (const [unit, fields] of Object.entries(told.units)) if (card(unit)) fill(card(unit), fields);
  if (told.orders && Object.keys(told.orders).every(card)) taken.value = text;
  form.dispatchEvent(new CustomEvent("fp:text"));
}

function formWasRead(told) {
  if (isMisread) {
    part("choices").hidden = false;
    return;
  }
  if (told.text !== undefined && !told.refused.some((one) => one.code === "contradiction")) write(told.text);
}

function write(text) {
  if (box.value.trim() !== text.trim()) {
    if (box.value.trim() && box.value !== written) before = box.value;
    box.value = written = text;
  }
  taken.value = box.value;
  part("back").hidden = before === null;
  isMisread = false;
  box.removeAttribute("aria-invalid");
  mark(text, []);
  offer(text, null);
  reply([]);
  form.dispatchEvent(new CustomEvent("fp:text"));
}

const card = (unit) => form.querySelector(`[data-card="${CSS.escape(unit)}"]`);

function list(at, lines = []) {
  at.replaceChildren(...lines.map((one) => {
    const line = document.createElement("li");
    const target = document.getElementById(`f-${one.unit}-${one.part}`) ?? document.getElementById(`unit-${one.unit}`);
    if (!target) line.textContent = one.words;
    else line.append(link(one.words, `#${target.id}`, () => target.closest("details.unit-card")?.setAttribute("open", "")));
    return line;
  }));
}

function link(words, href, act) {
  const made = document.createElement("a");
  Object.assign(made, { href, textContent: words });
  made.addEventListener("click", act);
  return made;
}

// Columns count whole characters; the box counts halves of some of them.
function place(text, fault) {
  const lines = text.split("\n");
  const signs = [...(lines[fault.line - 1] ?? "")];
  const start = lines.slice(0, fault.line - 1).reduce((sum, line) => sum + line.length + 1, 0)
    + signs.slice(0, fault.column - 1).join("").length;
  return [start, start + signs.slice(fault.column - 1, fault.column - 1 + fault.length).join("").length];
}

function mark(text, faults) {
  const pieces = [];
  let done = 0;
  for (const fault of faults) {
    const [start, end] = place(text, fault);
    if (start < done) continue;
    const wrong = document.createElement("mark");
    wrong.textContent = text.slice(start, end) || " ";
    pieces.push(text.slice(done, start), wrong);
    done = end;
  }
  part("marks").replaceChildren(...pieces, `${text.slice(done)}\n`);
  scrolled();
  part("faults").replaceChildren(...faults.map((fault) => faultLine(text, fault)));
  offerAll(text, faults);
}

function faultLine(text, fault) {
  const [start, end] = place(text, fault);
  const line = document.createElement("li");
  const select = (event) => {
    event.preventDefault();
    box.focus();
    box.setSelectionRange(start, end);
  };
  line.append(link(fault.place, "#orders-text", select), ` ${fault.words}`);
  if (fault.suggestions.length) line.append(document.createElement("br"), `${part("faults").dataset.perhaps} `);
  for (const suggestion of fault.suggestions) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "quiet", textContent: `${suggestion.words}?` });
    button.addEventListener("click", () => take(text, suggestion, start, end));
    line.append(button);
  }
  return line;
}

// By the browser's own command, so that it can be undone; by hand where there is none.
function put(words, start, end) {
  box.focus();
  box.setSelectionRange(start, end);
  if (!document.execCommand?.("insertText", false, words)) {
    box.setRangeText(words, start, end, "end");
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }
  later("text", 0);
}

function take(text, suggestion, start, end) {
  if (box.value !== text) return;
  put(...instead(suggestion, start, end));
}

// The words, and the stretch of the text whose place they take.
const instead = ({ follows, words }, start, end) => (follows ? [` ${words}`, end, end] : [words, start, end]);

// Where one thing alone may have been meant: all of these at once, from the end on, so that the places hold.
let alone = null;

function offerAll(text, faults) {
  const single = faults.filter((fault) => fault.suggestions.length === 1);
  alone = single.length > 1 ? { text, single } : null;
  part("singles").hidden = !alone;
}

function takeAll() {
  if (!alone || box.value !== alone.text) return;
  let whole = alone.text;
  let last = whole.length;
  for (const fault of [...alone.single].reverse()) {
    const [start, end] = place(alone.text, fault);
    if (end > last) continue;
    const [words, from, to] = instead(fault.suggestions[0], start, end);
    whole = whole.slice(0, from) + words + whole.slice(to);
    last = start;
  }
  put(whole, 0, box.value.length);
}

// Lines that are no orders: one press makes quotations of them, which are passed over.
let aside = null;

function offer(text, told) {
  aside = told ? { text, lines: new Set(told.lines) } : null;
  part("asides").hidden = !told;
  part("leave").textContent = told?.press ?? "";
  part("aside-lines").replaceChildren(...(told?.texts ?? []).map((words) => {
    const line = document.createElement("li");
    line.append(Object.assign(document.createElement("s"), { textContent: words }));
    return line;
  }));
}

function leave(event) {
  if (!aside) return;
  event.preventDefault();
  if (box.value !== aside.text) return;
  const lines = box.value.split("\n").map((line, at) => (aside.lines.has(at + 1) ? `> ${line}` : line));
  put(lines.join("\n"), 0, box.value.length);
}

function reply(replies) {
  const all = part("replies");
  if (!all) return;
  all.hidden = !replies.length;
  for (const one of replies) {
    const at = all.querySelector(`[data-reply="${one.language}"]`);
    at.querySelector("textarea").value = one.text;
    at.querySelector("button").dataset.copy = one.text;
    all.append(at);
  }
}

function scrolled() {
  part("marks").scrollTop = box.scrollTop;
}

if (form && box) {
  form.addEventListener("input", (event) => {
    if (event.target === box || event.target.id === "text-drop") later("text");
    else if (event.target.dataset.part) later("form");
  });
  box.addEventListener("scroll", scrolled);
  part("leave").addEventListener("click", leave);
  part("take-all").addEventListener("click", takeAll);
  part("read-button").hidden = true;
  part("take-form").addEventListener("click", () => {
    isMisread = false;
    part("choices").hidden = true;
    ask("form");
  });
  part("bring-back").addEventListener("click", () => {
    box.value = before;
    before = null;
    part("back").hidden = true;
    later("text", 0);
  });
  if (matchMedia("(min-width: 62rem)").matches) document.getElementById("text").open = true;
  if (location.hash === "#text") document.getElementById("text").open = true;
  if (box.value.trim() !== taken.value.trim()) ask("text");
}
