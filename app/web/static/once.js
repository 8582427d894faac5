// A finger that comes down twice sends a form once. Forms that a script sends by itself are its own.
const SAME_PRESS = 2000;
let last = { form: null, at: -Infinity };

document.addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  if (event.target === last.form && event.timeStamp - last.at < SAME_PRESS) event.preventDefault();
  else last = { form: event.target, at: event.timeStamp };
});
addEventListener("pageshow", () => { last = { form: null, at: -Infinity }; });
