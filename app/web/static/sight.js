// What of the page is seen while a film is watched: the board, whatever else. On a small screen that is all; on a wide one,
// where the report stands beside it, the line that tells of the moment as well.
import { still } from "./stage.js";

const beside = matchMedia("(min-width: 62rem)");
const MARGIN = 13; // px that the column of the board keeps from the edges of the window

// `column`: what stays in the window beside the report; `title`: the first line of the board.
export function sight(column, title) {
  const behavior = () => (still.matches ? "auto" : "smooth");

  // The line into the middle; but not so far down that the end of the report would push the board out of the window.
  function follow(line) {
    if (!line || !beside.matches) return;
    const seen = line.getBoundingClientRect();
    const last = column.parentElement.getBoundingClientRect().bottom + MARGIN - innerHeight;
    scrollBy({ top: Math.min(seen.top + seen.height / 2 - innerHeight / 2, last), behavior: behavior() });
  }

  const go = (line) => (beside.matches ? follow(line) : title.scrollIntoView({ block: "start" }));

  // By a link. Until a page is whole, browsers go on going to the line that its address names, unless the reader has moved.
  function arrive(line) {
    go(line);
    if (document.readyState === "complete") return;
    let moved = false;
    for (const kind of ["wheel", "touchstart", "keydown"]) addEventListener(kind, () => (moved = true), { once: true, passive: true });
    addEventListener("load", () => setTimeout(() => moved || go(line)), { once: true });
  }

  return { follow, arrive };
}
