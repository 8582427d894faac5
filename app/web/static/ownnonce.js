// Each sheet is sealed with a nonce that this browser draws. The dice come of the seals: a server that drew the nonces itself
// could try one after the other until the dice please it.
const MOST = 50; // a form is read more often than it is saved
const KEPT = "fp:nonces"; // for the page that a saved form leads to
const drawn = before();
const form = document.getElementById("orders");
const state = document.querySelector("[data-state]");

if (form) form.addEventListener("formdata", (event) => event.formData.set("nonce", draw()));
if (form && state) {
  new MutationObserver(tell).observe(state, { childList: true, subtree: true });
  tell();
}

function draw() {
  const nonce = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  drawn.push(nonce);
  if (drawn.length > MOST) drawn.shift();
  try {
    sessionStorage.setItem(KEPT, drawn.join(" "));
  } catch {
    // no storage: said of sheets that this page itself sent
  }
  return nonce;
}

function before() {
  try {
    return (sessionStorage.getItem(KEPT) ?? "").split(" ").filter(Boolean);
  } catch {
    return [];
  }
}

// Said only where the referee's receipt holds a nonce of ours.
function tell() {
  const nonce = state.querySelector("[data-nonce]")?.textContent;
  if (nonce && drawn.includes(nonce)) state.querySelector("[data-nonce-own]").hidden = false;
}
