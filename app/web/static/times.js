// Tells every moment in the reader's own zone as well, where it differs from the one that the page names.
const language = document.documentElement.lang;
const locale = { en: "en-GB", ru: "ru-RU" }[language] ?? language;
const near = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "long" });
const yours = { en: "your time", ru: "по вашему времени" }[language] ?? "";
const zone = new Intl.DateTimeFormat(locale, { timeZoneName: "longGeneric" })
  .formatToParts(new Date())
  .find((part) => part.type === "timeZoneName")
  ?.value.replace(/ Standard Time$|, стандартное время$/, "");

function tell(part) {
  for (const time of part.querySelectorAll("time[datetime]")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    time.title = exact.format(moment);
    const clock = near.format(moment).match(/\d\d:\d\d/)?.[0];
    if (clock && time.hasAttribute("data-local") && !time.textContent.includes(clock)) {
      const local = document.createElement("span");
      local.className = "small";
      local.textContent = ` (${near.format(moment)}, ${zone ? `${yours}: ${zone}` : yours})`;
      behind(time).after(local);
    }
  }
}

// What the reader's own time stands behind: the name of the zone that the page tells the moment in, where it follows in brackets.
function behind(time) {
  const told = time.parentElement.matches("strong") && time.parentElement.lastChild === time ? time.parentElement : time;
  const named = told.nextSibling?.nodeType === Node.TEXT_NODE && told.nextSibling.data.match(/^\s\([^()]*\)/);
  if (!named) return time;
  told.nextSibling.splitText(named[0].length);
  return told.nextSibling;
}

tell(document);
document.addEventListener("fieldpost:swapped", (event) => tell(event.target));
