// The coordinates along the edges, which stay in sight while the board moves.
export const RULER = 20; // px

export function ruler(view, svg, box) {
  const names = new Map();
  for (const text of svg.querySelectorAll(".edge-labels text")) {
    const name = text.textContent;
    if (!names.has(name)) names.set(name, [text.getAttribute("x") - box.x, text.getAttribute("y") - 7 - box.y]);
  }
  const size = Number(svg.querySelector(".edge-labels")?.getAttribute("font-size") ?? 20);
  const strip = (kind, wanted) => {
    const bar = Object.assign(document.createElement("div"), { className: `ruler ${kind}` });
    const inner = document.createElement("div");
    bar.setAttribute("aria-hidden", "true");
    bar.append(inner);
    view.querySelector(".board-frame").append(bar);
    const marks = [...names].filter(([name]) => wanted.test(name)).map(([name, at]) => {
      const mark = Object.assign(document.createElement("span"), { textContent: name });
      inner.append(mark);
      return { mark, at: at[kind === "across" ? 0 : 1] };
    });
    return { inner, marks };
  };
  const across = strip("across", /^[A-Z]+$/);
  const down = strip("down", /^[0-9]+$/);
  const fine = (scale) => size * scale < 9; // too fine to be read on the board itself
  return {
    // The room that the rulers need beside the board, px.
    inset: (scale) => (fine(scale) ? Math.max(0, RULER - 30 * scale) : 0),
    scale(scale, near) {
      const shown = near || fine(scale);
      view.classList.toggle("ruled", shown);
      if (!shown) return 0;
      for (const [{ marks }, axis, room] of [
        [across, "left", 22],
        [down, "top", 15],
      ]) {
        const gap = marks.length > 1 ? (marks[1].at - marks[0].at) * scale : room;
        const every = [1, 2, 5, 10, 20].find((one) => gap * one >= room) ?? 50;
        marks.forEach(({ mark, at }, i) => {
          mark.style[axis] = `${at * scale}px`;
          mark.hidden = every > 1 && (i + 1) % every !== 0;
        });
      }
      return Math.max(0, RULER - 30 * scale);
    },
    place(frame, paper) {
      const seen = paper.getBoundingClientRect();
      const whole = frame.getBoundingClientRect();
      across.inner.style.transform = `translateX(${seen.left - whole.left}px)`;
      down.inner.style.transform = `translateY(${seen.top - whole.top}px)`;
    },
  };
}
