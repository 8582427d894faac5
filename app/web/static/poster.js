// The texts for a forum: another choice fetches them at once, and one click copies. Without this file the form's button
// does the first, and the reader's own hand the second.
const form = document.querySelector("form[data-poster]");
const texts = document.getElementById("post-texts");

const show = () => {
  for (const button of texts.querySelectorAll("button[data-copy-from]")) button.hidden = false;
};

let asked = 0;
form.addEventListener("change", async () => {
  const number = ++asked;
  const query = new URLSearchParams(new FormData(form));
  texts.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(`${form.action}?${query}`);
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (number !== asked) return;
    texts.replaceChildren(...page.getElementById("post-texts").childNodes);
    show();
  } catch {
    if (number === asked) form.submit();
  } finally {
    if (number === asked) texts.removeAttribute("aria-busy");
  }
});

texts.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy-from]");
  if (!button) return;
  const area = document.getElementById(button.dataset.copyFrom);
  const words = button.textContent;
  area.select();
  try {
    await navigator.clipboard.writeText(area.value);
  } catch {
    if (!document.execCommand("copy")) return;
  }
  button.textContent = button.dataset.copied;
  setTimeout(() => { button.textContent = words; }, 2000);
});

show();
