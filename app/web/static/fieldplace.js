// Where the panel stands, and that no unit lies under it.

// Where there is room, the panel stands beside the board and hides none of it. Returns what tells whether there is.
export function settled(root, svg) {
  const beside = matchMedia("(min-width: 62rem)");
  const home = root.previousElementSibling;
  const column = svg.closest(".main-column")?.nextElementSibling;
  const settle = () => (beside.matches && column ? column.prepend(root) : home.after(root));
  settle();
  beside.addEventListener("change", settle);
  return beside;
}

// Brings a thing on the board into sight, the board first and then the page, no farther than it must. Where the panel lies over
// the page, the whole frame of the board is brought above it if it fits: from then on nothing needs to move. `finger`: so near
// that a finger hits a cell.
export function reveals(element, root, finger) {
  element.dispatchEvent(new CustomEvent("board:reveal", { bubbles: true, detail: { element, finger } }));
  const frame = element.closest(".board-scroll").getBoundingClientRect();
  const style = getComputedStyle(root);
  const lower = innerHeight - (style.position === "sticky" ? parseFloat(style.maxHeight) : 0);
  const seen = element.getBoundingClientRect();
  const isWhole = style.position === "sticky" && frame.height <= lower;
  const [top, bottom] = isWhole ? [frame.top, frame.bottom] : [seen.top - seen.height, seen.bottom + seen.height];
  const over = Math.min(0, top) || Math.max(0, bottom - lower);
  if (over) scrollBy({ top: over, behavior: "instant" });
}
