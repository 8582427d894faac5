// Copy buttons, the reader's zone in an untouched field, and a question before unsaved work is left.
function showCopies(part) {
  for (const button of part.querySelectorAll("button[data-copy]")) button.hidden = false;
}

showCopies(document);
document.addEventListener("fieldpost:swapped", (event) => showCopies(event.target));
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-copy]");
  if (!button) return;
  const words = (button.dataset.words ??= button.textContent);
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    if (!copiedByHand(button)) return choose(button.previousElementSibling);
  }
  button.textContent = button.dataset.copied;
  setTimeout(() => { button.textContent = words; }, 2000);
});

// A page without TLS has no clipboard of its own.
function copiedByHand(button) {
  const held = Object.assign(document.createElement("textarea"), { value: button.dataset.copy, readOnly: true, className: "visually-hidden" });
  button.after(held);
  held.focus({ preventScroll: true });
  held.select();
  const isCopied = document.execCommand("copy");
  held.remove();
  button.focus({ preventScroll: true });
  return isCopied;
}

function choose(part) {
  if (part?.select) part.select();
  else if (part) getSelection().selectAllChildren(part);
}

for (const input of document.querySelectorAll(".copyable input")) {
  input.addEventListener("focus", () => input.select());
}

const zone = document.querySelector("input[data-own-zone]");
if (zone && zone.value === "UTC" && zone.defaultValue === "UTC" && !document.getElementById("problems")) {
  zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

for (const input of document.querySelectorAll("input[data-reader-zone]")) {
  if (input.value === input.defaultValue) input.value = Intl.DateTimeFormat().resolvedOptions().timeZone || input.value;
}

let changed = false;
for (const form of document.querySelectorAll("form[data-guard]")) {
  form.addEventListener("input", () => { changed = true; });
  form.addEventListener("submit", () => { changed = false; });
}
addEventListener("beforeunload", (event) => {
  if (changed) event.preventDefault();
});

// A field that a problem leads to is marked and says why, until it is typed into. Orders have marks of their own.
let told = 0;
for (const link of document.querySelectorAll('#problems a[href^="#"]')) {
  const field = document.getElementById(link.getAttribute("href").slice(1));
  if (!field?.matches("input, select, textarea") || field.hasAttribute("aria-invalid") || field.closest(".card, .orders-form")) continue;
  link.id ||= `problem-${told += 1}`;
  const said = field.getAttribute("aria-describedby");
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", [link.id, said].filter(Boolean).join(" "));
  field.addEventListener("input", () => field.removeAttribute("aria-invalid"), { once: true });
}

document.getElementById("problems")?.focus();
