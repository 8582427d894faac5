// The address of the page, put right as what is watched changes. Some browsers allow a hundred changes in ten seconds, and
// throw at the next: then the newest address waits.
const LATER_MS = 2000;
let late;

export function putAddress(address) {
  clearTimeout(late);
  try {
    history.replaceState(history.state, "", address);
  } catch {
    late = setTimeout(() => putAddress(address), LATER_MS);
  }
}

// Whoever goes elsewhere by a link has left the address that waits.
addEventListener("hashchange", () => clearTimeout(late));
