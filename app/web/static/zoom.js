// The board near and far: wheel with Ctrl (or without, once the board is in use), two fingers, a double tap, dragging, keys,
// buttons. The frame scrolls as it does without this; here only the size of the paper in it is changed.
import { byFinger } from "./pressed.js";
import { RULER, ruler } from "./ruler.js";

const ACROSS = 69.3; // a cell from side to side, in the units of the picture
const MOST = 120; // px of a cell at the nearest
const FINGER = 48; // px of a cell that a finger hits
const READABLE = 46; // px of a cell from which its coordinates can be read in it
const DUST = 20; // px of a cell below which a tap comes nearer instead of choosing
const STEP = 1.5;

function setUp(view, number) {
  const frame = view.querySelector(".board-scroll");
  const paper = view.querySelector(".board-paper");
  const tools = view.querySelector(".board-tools");
  const svg = () => paper.querySelector("svg");
  const box = svg().viewBox.baseVal;
  const store = `fieldpost:view:${location.pathname}:${number}`;
  let zoom = 1;
  let wide = 0;
  let fitted = 0; // px of the paper at which the whole board is seen

  const rulers = ruler(view, svg(), box);
  const cell = (of = zoom) => (ACROSS * fitted * of) / box.width;
  const nearest = () => Math.max(2, MOST / cell(1));
  const middle = () => {
    const seen = frame.getBoundingClientRect();
    return [seen.left + frame.clientWidth / 2, seen.top + frame.clientHeight / 2];
  };

  // The place on the paper, as parts of its size, that lies under a point of the window.
  function under([x, y]) {
    const seen = paper.getBoundingClientRect();
    return [(x - seen.left) / seen.width, (y - seen.top) / seen.height];
  }

  function measure() {
    const high = parseFloat(getComputedStyle(frame).maxHeight);
    const ratio = box.width / box.height;
    wide = frame.clientWidth;
    fitted = Math.min(wide, Number.isNaN(high) ? wide : high * ratio);
    const inset = rulers.inset(fitted / box.width, fitted < wide - 30);
    if (inset) fitted = Math.min(wide - inset, Number.isNaN(high) ? wide : (high - inset) * ratio);
  }

  // `spot`: what is to lie under the point `at`, or in the middle.
  function set(wanted, at = null, spot = under(at ?? middle())) {
    zoom = Math.min(Math.max(wanted, 1), nearest());
    if (zoom < 1.02) zoom = 1;
    paper.style.width = `${Math.floor(fitted * zoom)}px`;
    const scale = (fitted * zoom) / box.width;
    view.classList.toggle("whole", zoom === 1);
    view.classList.toggle("near", cell() >= READABLE);
    view.classList.toggle("far", cell() < READABLE);
    const inset = rulers.scale(scale, zoom > 1);
    paper.style.marginTop = inset ? `${inset}px` : "";
    const beside = zoom > 1 || (wide - fitted) / 2 < inset;
    paper.style.marginLeft = inset && beside ? `${inset}px` : "";
    tell();
    keep();
    // Nothing to be moved, and nothing to be measured: that would make the browser lay out the page in the midst of a script.
    if (zoom === 1 && !view.classList.contains("ruled")) return;
    const seen = paper.getBoundingClientRect();
    const [x, y] = at ?? middle(); // only now: the frame may have grown with its paper
    frame.scrollLeft += seen.left + spot[0] * seen.width - x;
    frame.scrollTop += seen.top + spot[1] * seen.height - y;
    rulers.place(frame, paper);
  }

  function tell() {
    tools.querySelector('[data-near="-1"]').disabled = zoom === 1;
    tools.querySelector('[data-near="0"]').disabled = zoom === 1;
    tools.querySelector('[data-near="1"]').disabled = zoom >= nearest() - 0.01;
  }

  let kept = 0;
  function keep() {
    clearTimeout(kept);
    kept = setTimeout(() => {
      try {
        sessionStorage.setItem(store, JSON.stringify([zoom, ...under(middle())]));
      } catch {
        // a browser that keeps nothing: the next page begins with the whole board
      }
    }, 120);
  }

  // Told by the observer, when the browser has laid out the page for the first time, and before it is painted.
  function begin() {
    view.classList.add("zooms");
    measure();
    let before = null;
    try {
      before = JSON.parse(sessionStorage.getItem(store));
    } catch {
      // whatever lies there is not ours
    }
    if (Array.isArray(before) && before.length === 3 && before.every(Number.isFinite)) set(before[0], null, before.slice(1));
    else set(1, null, [0.5, 0.5]);
  }

  const press = (by) => set(by === 0 ? 1 : zoom * STEP ** by, focusPoint());
  // Keys and buttons come nearer to what has the focus, or to what is chosen.
  function focusPoint() {
    const there = svg().querySelector(":focus") ?? svg().querySelector(".chosen");
    const seen = there?.getBoundingClientRect();
    const whole = frame.getBoundingClientRect();
    if (!seen || seen.right < whole.left || seen.left > whole.right || seen.bottom < whole.top || seen.top > whole.bottom) return middle();
    return [seen.left + seen.width / 2, seen.top + seen.height / 2];
  }

  // Brings a thing on the board into sight; `finger`: near enough to be hit.
  function reveal(element, finger) {
    if (finger && cell() < 40) {
      const seen = element.getBoundingClientRect();
      const spot = under([seen.left + seen.width / 2, seen.top + seen.height / 2]);
      set((zoom * FINGER) / cell(), null, spot);
      return;
    }
    const seen = element.getBoundingClientRect();
    const whole = frame.getBoundingClientRect();
    const edge = Math.min(cell() / 2 + RULER, whole.width / 4);
    const over = (low, high, from, to) => Math.min(0, low - from - edge) || Math.max(0, high - to + edge);
    frame.scrollLeft += over(seen.left, seen.right, whole.left, whole.right);
    frame.scrollTop += over(seen.top, seen.bottom, whole.top, whole.bottom);
  }

  for (const button of tools.querySelectorAll("[data-near]")) button.addEventListener("click", () => press(Number(button.dataset.near)));
  view.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
    const by = { "+": 1, "=": 1, "-": -1, "−": -1, _: -1, 0: 0 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    press(by);
  });
  view.addEventListener("board:reveal", (event) => reveal(event.detail.element, event.detail.finger));

  frame.addEventListener(
    "wheel",
    (event) => {
      const meant = event.ctrlKey || event.metaKey;
      if (event.shiftKey || event.altKey || !(meant || view.contains(document.activeElement))) return;
      const lines = event.deltaMode === 1 ? 33 : 1;
      const fine = event.ctrlKey && Math.abs(event.deltaY) < 40 ? 0.01 : 0.002; // two fingers on a pad come as small steps with Ctrl
      const before = zoom;
      const wanted = Math.min(Math.max(zoom * Math.exp(-event.deltaY * lines * fine), 1), nearest());
      // At either end the wheel is the page's again, but with Ctrl it would blow up the page.
      if (meant || Math.abs(wanted - before) > 0.001) event.preventDefault();
      if (Math.abs(wanted - before) > 0.001) set(wanted, [event.clientX, event.clientY]);
    },
    { passive: false },
  );

  let drag = null;
  let dragged = false;
  frame.addEventListener("pointerdown", (event) => {
    dragged = false;
    if (event.pointerType === "touch" || event.button !== 0 || zoom === 1 || svg().classList.contains("drawing")) return;
    drag = { x: event.clientX, y: event.clientY, left: frame.scrollLeft, top: frame.scrollTop };
  });
  frame.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!dragged && Math.hypot(dx, dy) < 5) return;
    if (!dragged) {
      dragged = true;
      frame.setPointerCapture(event.pointerId);
      view.classList.add("panning");
    }
    frame.scrollLeft = drag.left - dx;
    frame.scrollTop = drag.top - dy;
  });
  const drop = () => {
    drag = null;
    view.classList.remove("panning");
  };
  frame.addEventListener("pointerup", drop);
  frame.addEventListener("pointercancel", drop);
  frame.addEventListener(
    "click",
    (event) => {
      if (dragged) {
        dragged = false;
        event.stopPropagation();
        event.preventDefault();
      } else if (byFinger(event) && cell() < DUST) {
        set((zoom * FINGER) / cell(), null, under([event.clientX, event.clientY]));
        event.stopPropagation();
      }
    },
    true,
  );

  let pinch = null;
  let tap = { at: 0, x: 0, y: 0 };
  const spread = ([one, two]) => ({
    far: Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY) || 1,
    at: [(one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2],
  });
  frame.addEventListener(
    "touchstart",
    (event) => {
      if (event.touches.length !== 2) return;
      if (event.cancelable) event.preventDefault();
      const { far, at } = spread(event.touches);
      pinch = { far, zoom, spot: under(at) };
    },
    { passive: false },
  );
  frame.addEventListener(
    "touchmove",
    (event) => {
      if (!pinch || event.touches.length !== 2) return;
      if (event.cancelable) event.preventDefault();
      const { far, at } = spread(event.touches);
      set((pinch.zoom * far) / pinch.far, at, pinch.spot);
    },
    { passive: false },
  );
  frame.addEventListener("touchend", (event) => {
    if (event.touches.length < 2) pinch = null;
  });
  // Two fingers on the pad of a Mac, as Safari tells of them; on a screen it tells of the same fingers twice.
  let gesture = null;
  frame.addEventListener("gesturestart", (event) => {
    event.preventDefault();
    const at = [event.clientX, event.clientY];
    gesture = pinch ? null : { zoom, at, spot: under(at) };
  });
  frame.addEventListener("gesturechange", (event) => {
    event.preventDefault();
    if (gesture && !pinch) set(gesture.zoom * event.scale, gesture.at, gesture.spot);
  });
  // Two taps on the bare ground. What can be chosen takes its taps for itself.
  const acts = (element) => element.closest?.('[data-mark], [role="button"]');
  function twice(event) {
    const again = event.timeStamp - tap.at < 350 && Math.hypot(event.clientX - tap.x, event.clientY - tap.y) < 30;
    tap = { at: again ? 0 : event.timeStamp, x: event.clientX, y: event.clientY };
    if (!again || acts(event.target)) return;
    set(zoom > 1 && cell() >= FINGER ? 1 : Math.max(zoom * 2, (zoom * FINGER) / cell()), [event.clientX, event.clientY]);
  }
  frame.addEventListener("click", twice);

  frame.addEventListener(
    "scroll",
    () => {
      rulers.place(frame, paper);
      keep();
    },
    { passive: true },
  );
  new ResizeObserver(() => {
    if (!frame.clientWidth || frame.clientWidth === wide) return;
    if (!wide) return begin();
    const spot = under(middle());
    measure();
    set(zoom, null, spot);
  }).observe(frame);

  tools.hidden = false;
}

function find() {
  [...document.querySelectorAll("[data-board]")].forEach((view, number) => {
    if (!view.querySelector(".board-tools")?.hidden || !view.querySelector(".board-paper svg")) return;
    setUp(view, number);
  });
}

find();
document.addEventListener("fieldpost:swapped", find);
