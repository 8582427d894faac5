// A channel: new messages come by themselves, a quotation and a name are put in with one press. What is typed is never lost.
// Which channels have news is told to nobody: the page that is open asks for its own, when the battle's stream hints at the
// public thread and otherwise every few seconds, as long as somebody looks at it.
const EVERY_MS = 10_000;
const box = document.querySelector("[data-talk]");
const news = document.querySelector("[data-talk-news]");
const field = document.querySelector("[data-write] textarea");
const names = document.querySelector("[data-names]");
const WORD = /@([^\n@]{0,80})$/u;
let tag = box && `"${box.dataset.mark}"`;
let asking = false;
let failed = 0;

async function ask() {
  if (asking || document.hidden || box.dataset.still !== undefined || box.querySelector("details[open]")) return;
  asking = true;
  try {
    const address = new URL(box.dataset.talk, location.href);
    const here = new URLSearchParams(location.search);
    if (here.get("before") || here.get("from")) return;
    const answer = await fetch(address, { headers: { "if-none-match": tag }, credentials: "same-origin", cache: "no-store" });
    failed = answer.ok || answer.status === 304 ? 0 : failed + 1;
    if (answer.status !== 200) return;
    const last = newest();
    const atEnd = innerHeight + scrollY >= document.body.scrollHeight - 400;
    const focus = document.activeElement?.closest?.("[data-talk] [id]")?.id;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    box.replaceChildren(...document.importNode(fresh.body, true).childNodes);
    tag = answer.headers.get("etag");
    if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
    box.dispatchEvent(new CustomEvent("fieldpost:swapped", { bubbles: true }));
    if (newest() > last) {
      news.textContent = news.dataset.say;
      if (atEnd) box.querySelector(".talk-lines > :last-child")?.scrollIntoView({ block: "nearest" });
    }
  } catch {
    failed += 1; // no network: it is asked again
  } finally {
    asking = false;
  }
}

function newest() {
  return Math.max(0, ...[...box.querySelectorAll(".talk-line")].map((line) => Number(line.id.slice(1))));
}

function later() {
  setTimeout(async () => {
    await ask();
    later();
  }, EVERY_MS * 2 ** Math.min(failed, 5) * (0.9 + Math.random() / 5));
}

function put(text, from = field.selectionStart) {
  field.setRangeText(text, from, field.selectionEnd, "end");
  field.focus();
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function quote(link) {
  const lines = [`**${link.dataset.who.replace(/([\\`*_[\]<>~])/g, "\\$1")}:**`, ...link.dataset.source.split("\n")];
  const before = field.value.slice(0, field.selectionStart);
  put(`${before && !before.endsWith("\n\n") ? "\n\n" : ""}${lines.map((line) => `> ${line}`.trimEnd()).join("\n")}\n\n`);
  field.scrollIntoView({ block: "center" });
}

// The names that go with what stands behind the last @ before the cursor; all of them, where there is none.
function offer() {
  const begun = WORD.exec(field.value.slice(0, field.selectionStart));
  const typed = begun?.[1].toLocaleLowerCase() ?? "";
  const buttons = [...names.querySelectorAll("button")];
  const fits = buttons.filter((button) => button.dataset.name.toLocaleLowerCase().startsWith(typed));
  for (const button of buttons) button.hidden = fits.length > 0 && !fits.includes(button);
}

function call(name) {
  const before = field.value.slice(0, field.selectionStart);
  const begun = WORD.exec(before);
  const fits = begun && name.toLocaleLowerCase().startsWith(begun[1].toLocaleLowerCase());
  const gap = !fits && before && !/\s$/u.test(before) ? " " : "";
  put(`${gap}@${name} `, fits ? before.length - begun[0].length : undefined);
}

if (box) {
  document.addEventListener("fieldpost:hint", ask);
  document.addEventListener("visibilitychange", ask);
  later();
}
if (box && field) {
  box.addEventListener("click", (event) => {
    const link = event.target.closest("[data-quote]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    quote(link);
  });
}
if (names && field) {
  names.hidden = false;
  names.prepend(Object.assign(document.createElement("span"), { className: "small", textContent: names.dataset.label }));
  names.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) call(button.dataset.name);
  });
  field.addEventListener("input", offer);
  field.addEventListener("click", offer);
}
