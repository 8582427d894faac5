// The board on which a film plays: who stands where in each moment, and how they go there. Knows no game: the server says
// what changes on the board, this puts it there.
const SVG = "http://www.w3.org/2000/svg";
const CELL_MS = 260;
export const still = matchMedia("(prefers-reduced-motion: reduce)");

export function drawn(text) {
  const holder = document.createElementNS(SVG, "svg");
  holder.innerHTML = text;
  return holder.firstElementChild;
}

export function picture(text) {
  const holder = document.createElement("div");
  holder.innerHTML = text;
  return holder.firstElementChild;
}

// A unit as the list of a film's board has it: heard by its title.
export function heard(piece) {
  piece.setAttribute("role", "listitem");
  const title = piece.querySelector(":scope > title");
  if (title) piece.setAttribute("aria-label", title.textContent);
  return piece;
}

// A board without anybody on it, and the layers on which they come.
function layer(svg) {
  for (const group of svg.querySelectorAll(":scope > .counters, :scope > .routes")) group.remove();
  const counters = svg.appendChild(document.createElementNS(SVG, "g"));
  counters.setAttribute("class", "counters");
  counters.setAttribute("role", "list");
  svg.setAttribute("role", "group");
  counters.setAttribute("font-weight", "700");
  counters.setAttribute("text-anchor", "middle");
  const routes = svg.appendChild(document.createElementNS(SVG, "g"));
  routes.setAttribute("pointer-events", "none");
  return { svg, counters, routes };
}

// A film made ready: how everybody looks in each moment, by unit (a piece of picture, shared by all moments in which it is
// the same), and the boards of a turn in which the ground changes, that of its end last.
export function developed(film, opening, board) {
  let look = new Map(opening);
  const looks = film.moments.map((moment) => {
    look = new Map(look);
    for (const unit of moment.gone) look.delete(unit);
    for (const [unit, text] of Object.entries(moment.set)) look.set(unit, heard(drawn(text)));
    return look;
  });
  return { film, looks, grounds: [...film.grounds.map((text) => layer(picture(text))), layer(board)] };
}

function place(piece, [x, y]) {
  const lean = piece.getAttribute("transform").match(/rotate\([^)]*\)/)?.[0] ?? "";
  piece.setAttribute("transform", `translate(${x} ${y}) ${lean}`);
}

export function travelTime(moment, speed) {
  const steps = Math.max(0, ...Object.values(moment.paths).map((points) => points.length - 1));
  return still.matches ? 0 : (Math.min(steps, 6) * CELL_MS) / speed;
}

// `paper`: what holds the picture, in a frame that scrolls.
export function stage(paper) {
  let glide = 0;
  let arrive = () => {};

  function show(take, at, { picked, travels = 0 }) {
    cancelAnimationFrame(glide);
    arrive();
    const moment = take.film.moments[at];
    const ground = take.grounds.at(moment.ground);
    if (paper.firstElementChild !== ground.svg) paper.replaceChildren(ground.svg);
    const pieces = [...take.looks[at].values()];
    for (const piece of pieces) piece.classList.toggle("picked", picked.has(piece.dataset.unit));
    if (pieces.some((piece, i) => ground.counters.children[i] !== piece) || ground.counters.children.length !== pieces.length) {
      ground.counters.replaceChildren(...pieces);
    }
    const moving = Object.entries(moment.paths).map(([unit, points]) => [take.looks[at].get(unit), points]);
    ground.routes.innerHTML = moment.routes;
    if (travels && moving.length) travel(ground, moving, travels);
    reach(take.looks[at], moment);
  }

  // On a board that scrolls: those whom the moment is about come into sight.
  function reach(look, moment) {
    const frame = paper.parentElement;
    const view = frame.getBoundingClientRect();
    const ids = new Set([...moment.units, ...Object.keys(moment.paths)]);
    const places = [...ids].map((unit) => look.get(unit)?.getBoundingClientRect()).filter(Boolean);
    if (!places.length) return;
    const middle = (low, high) => (Math.min(...places.map((one) => one[low])) + Math.max(...places.map((one) => one[high]))) / 2;
    frame.scrollTo({
      left: frame.scrollLeft + middle("left", "right") - view.left - frame.clientWidth / 2,
      top: frame.scrollTop + middle("top", "bottom") - view.top - frame.clientHeight / 2,
      behavior: still.matches ? "auto" : "smooth",
    });
  }

  function travel(ground, moving, whole) {
    const begun = performance.now();
    // a piece belongs to many moments: wherever the way is broken off, it stands where it arrives
    arrive = () => {
      for (const [piece, points] of moving) place(piece, points.at(-1));
      arrive = () => {};
    };
    for (const [piece, points] of moving) {
      ground.counters.append(piece);
      place(piece, points[0]);
    }
    const frame = (now) => {
      const done = Math.max(0, Math.min(1, (now - begun) / whole));
      for (const [piece, points] of moving) {
        const way = done * (points.length - 1);
        const step = Math.min(Math.floor(way), points.length - 2);
        const [from, to] = [points[step], points[step + 1]];
        place(piece, [0, 1].map((axis) => Number((from[axis] + (to[axis] - from[axis]) * (way - step)).toFixed(1))));
      }
      if (done < 1) glide = requestAnimationFrame(frame);
    };
    glide = requestAnimationFrame(frame);
  }

  return { show };
}
