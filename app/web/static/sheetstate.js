// The part of the page that says what the referee has, put in place anew; and how long to wait for a server that is away.
const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 60_000;

// Whoever has the focus there, or something open, keeps it.
export function stateBox(root) {
  let last = root.innerHTML;

  return (html) => {
    if (!html || html === last) return;
    last = html;
    const open = [...root.querySelectorAll("details[open]")].map((one) => one.id);
    const held = root.contains(document.activeElement);
    root.innerHTML = html;
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    if (held) root.querySelector("button")?.focus({ preventScroll: true });
    root.dispatchEvent(new CustomEvent("fieldpost:swapped", { bubbles: true }));
  };
}

// `again` is called after a pause that doubles each time; `stop()`: the server has answered.
export function retries(again) {
  let timer;
  let tries = 0;

  return {
    wait() {
      clearTimeout(timer);
      timer = setTimeout(again, Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS));
      tries += 1;
    },
    stop() {
      clearTimeout(timer);
      tries = 0;
    },
  };
}
