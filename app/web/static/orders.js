// The orders form, livelier: each card says what is ordered, the board and the cards find each other.
const form = document.getElementById("orders");
const cards = [...document.querySelectorAll("[data-card]")];

function said(card) {
  const words = [];
  for (const name of ["shoot", "fight"]) {
    const chosen = card.querySelector(`select[data-part="${name}"]`)?.selectedOptions[0];
    if (chosen?.value) words.push(chosen.dataset.says);
  }
  const path = card.querySelector('[data-part="path"]')?.value.trim();
  const move = card.querySelector('select[data-part="move"]');
  const hold = card.querySelector('[data-part="hold"]');
  if (path) words.push(path.toUpperCase());
  else if (move?.value) words.push(move.selectedOptions[0].dataset.says);
  if (!words.length && hold?.checked) words.push(hold.dataset.says);
  return words.join(", ");
}

function refresh(card) {
  const words = said(card);
  const line = card.querySelector("[data-says].says");
  line.textContent = words || line.dataset.none;
  card.classList.toggle("ordered", Boolean(words));
  const moves = card.querySelector('select[data-part="move"]')?.value || card.querySelector('[data-part="path"]')?.value;
  const shoots = card.querySelector('select[data-part="shoot"]')?.value;
  const hint = card.querySelector("[data-hint]");
  if (hint) hint.hidden = !(card.hasAttribute("data-still-shooter") && moves && shoots);
  const count = document.querySelector("[data-count]");
  if (count) count.textContent = `${count.dataset.words} ${cards.filter((one) => said(one)).length}/${count.dataset.all}`;
}

form?.addEventListener("input", (event) => {
  const card = event.target.closest("[data-card]");
  if (!card) return;
  const part = event.target.dataset.part;
  const hold = card.querySelector('[data-part="hold"]');
  if (hold && part !== "hold" && (part === "move" || part === "path")) hold.checked = false;
  card.classList.remove("wrong");
  refresh(card);
});

function light(unit, on) {
  document.querySelector(`.board [data-unit="${CSS.escape(unit)}"]`)?.classList.toggle("picked", on);
}

for (const card of cards) {
  card.addEventListener("toggle", () => light(card.dataset.card, card.open));
  light(card.dataset.card, card.open);
}

// Who comes back to the page finds the fields as he left them: the browser tells of none that it has filled in again.
addEventListener("pageshow", () => {
  for (const card of cards) refresh(card);
  form?.dispatchEvent(new Event("change"));
});

if (location.hash.startsWith("#unit-") || location.hash.startsWith("#f-")) {
  document.getElementById(location.hash.slice(1))?.closest("details.unit-card")?.setAttribute("open", "");
}
for (const link of document.querySelectorAll('#problems a[href^="#"]')) {
  link.addEventListener("click", () => {
    document.getElementById(link.hash.slice(1))?.closest("details.unit-card")?.setAttribute("open", "");
  });
}
