// The texts for a forum: another choice fetches them at once, and one click copies. Without this file the form's button
// does the first, and the reader's own hand the second. Which forum it was, how much and in which language is kept in this
// browser for the next turn.
const NAME = "poster";
const KEPT = ["to", "length", "lang"];
const form = document.querySelector("form[data-poster]");
const texts = document.getElementById("post-texts");

const show = () => {
  for (const button of texts.querySelectorAll("button[data-copy-from]")) button.hidden = false;
};

const hold = (isHeld) => {
  for (const button of texts.querySelectorAll("button[data-copy-from]")) button.disabled = isHeld;
};

let asked = 0;
const fetched = async (otherwise) => {
  const number = ++asked;
  const query = new URLSearchParams(new FormData(form));
  texts.setAttribute("aria-busy", "true");
  hold(true); // what is shown is not what was chosen
  try {
    const answer = await fetch(`${form.action}?${query}`);
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (number !== asked) return;
    texts.replaceChildren(...page.getElementById("post-texts").childNodes);
    show();
  } catch {
    if (number === asked) otherwise();
  } finally {
    if (number === asked) {
      texts.removeAttribute("aria-busy");
      hold(false);
    }
  }
};

const field = (name) => form.elements.namedItem(name); // one is called `length`

const chosen = () => Object.fromEntries(KEPT.map((name) => [name, field(name).value]));

const choose = (values) => {
  for (const name of KEPT) {
    const select = field(name);
    if ([...select.options].some((option) => option.value === values?.[name])) select.value = values[name];
  }
};

form.addEventListener("change", () => {
  try {
    localStorage.setItem(NAME, JSON.stringify(chosen()));
  } catch { /* nothing is kept, and all else works */ }
  fetched(() => form.submit());
});

const recall = () => {
  const before = chosen();
  try {
    choose(JSON.parse(localStorage.getItem(NAME)));
  } catch {
    return;
  }
  if (KEPT.some((name) => field(name).value !== before[name])) fetched(() => choose(before));
};

texts.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy-from]");
  if (!button) return;
  const area = document.getElementById(button.dataset.copyFrom);
  const words = button.textContent;
  area.select();
  try {
    await navigator.clipboard.writeText(area.value);
  } catch {
    if (!document.execCommand("copy")) return;
  }
  button.textContent = button.dataset.copied;
  setTimeout(() => { button.textContent = words; }, 2000);
});

show();
const folded = form.closest("details:not([open])");
if (folded) folded.addEventListener("toggle", recall, { once: true });
else if (!location.search) recall();
