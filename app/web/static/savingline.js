// What is told of saving: the line beside the buttons, the answer to a press, the problems at their units.
const clock = new Intl.DateTimeFormat(document.documentElement.lang === "ru" ? "ru-RU" : "en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

export function sheetLine(form, say, names) {
  const line = form.querySelector("[data-saving]");
  const answer = form.querySelector("[data-pressed]");
  // The same beside the field, for the eye alone: on a phone the line itself lies far below.
  const echo = document.querySelector("[data-plan-saved]");
  const text = document.createElement("span");
  const busyText = document.createElement("span");
  busyText.setAttribute("aria-hidden", "true");
  busyText.className = "busy";
  busyText.textContent = say("saving");
  busyText.hidden = true;
  line.replaceChildren(text, " ", busyText);
  line.hidden = false;

  function standing({ now }) {
    return now.revision ? say("saved", { time: clock.format(new Date(now.at)), revision: now.revision }) : "";
  }

  function words(state) {
    const { mood, now, changed, wrong, clashing, isTextNew } = state;
    const last = now.revision ? say("last", now) : say("nothing");
    const unsent = changed.length ? [{ to: mood === "over" ? "#unsent" : "", says: say("unsent", { units: names(changed) }) }] : [];
    if (mood === "over" || mood === "closed") return [say("closed", now), ...(mood === "closed" ? [last] : []), ...unsent];
    if (mood === "denied") return [state.denial, ...unsent];
    if (mood === "away") return [say("away"), changed.length ? say("waits", { units: names(changed) }) : standing(state)];
    const told = [standing(state)];
    if (wrong.length) told.push(say("refused", { units: names(wrong) }));
    if (clashing.length) told.push({ to: "#clashes", says: say("clash", { units: names(clashing) }) });
    if (isTextNew) told.push(say("text"));
    if (now.ready) told.push(say("ready"));
    else if (now.wasReady) told.push(say("unready"));
    return told.some(Boolean) ? told : [say("none")];
  }

  // A press that led to nothing: why. "": there is nothing to be said.
  function unheard({ mood, denial, now, changed }, action) {
    if (mood === "over" || mood === "closed") return say("closed", now);
    if (mood === "denied") return denial;
    if (mood !== "away") return "";
    return action !== "save" || !changed.length ? say("press") : `${say("away")} ${say("waits", { units: names(changed) })}`;
  }

  function show(state) {
    const told = words(state).filter(Boolean).flatMap((one, place) => [...(place ? [" "] : []), one.to ? link(one.to, one.says) : (one.says ?? one)]);
    const said = told.map((one) => one.textContent ?? one).join("");
    if (text.textContent !== said) text.replaceChildren(...told);
    const isLost = state.mood === "over" ? state.changed.length > 0 : state.mood !== "calm";
    const isBad = isLost || state.wrong.length || state.clashing.length || state.isTextNew || state.now.wasReady;
    line.classList.toggle("bad", Boolean(isBad));
    line.classList.toggle("good", !isBad && state.now.revision > 0 && !state.changed.length);
    if (!echo) return;
    echo.textContent = said;
    for (const kind of ["bad", "good"]) echo.classList.toggle(kind, line.classList.contains(kind));
  }

  function link(href, textContent) {
    return Object.assign(document.createElement("a"), { href, textContent });
  }

  // A move that was typed is wrong where it was typed.
  function fieldOf({ unit, part }) {
    const typed = part === "move" ? document.getElementById(`f-${unit}-path`) : null;
    return typed?.value ? typed : document.getElementById(`f-${unit}-${part}`);
  }

  function lines(problems) {
    const list = document.createElement("ul");
    list.append(...problems.map((one) => {
      const item = document.createElement("li");
      const target = fieldOf(one) ?? document.getElementById(`unit-${one.unit}`);
      if (!target) item.textContent = one.words;
      else {
        const way = link(`#${target.id}`, one.words);
        way.addEventListener("click", () => target.closest("details.unit-card")?.setAttribute("open", ""));
        item.append(way);
      }
      return item;
    }));
    return list;
  }

  // The answer to a press; no words: none is shown. With a list (an empty one, too) it is no good news.
  function pressed(told = "", problems = null) {
    answer.hidden = !told.trim();
    answer.className = problems ? "pressed notice bad" : "pressed notice good";
    const said = document.createElement("p");
    said.textContent = told;
    said.setAttribute("role", "status");
    answer.replaceChildren(said, ...(problems?.length ? [lines(problems)] : []));
    if (problems && told.trim()) answer.focus();
    if (told.trim()) for (const old of document.querySelectorAll("main > .notice.good, #problems")) old.hidden = true;
  }

  // At each unit what is wrong with it now, in place of what was wrong before.
  function problems(refused, cardOf) {
    for (const [unit, card] of cardOf) {
      const own = refused.filter((one) => one.unit === unit);
      for (const old of card.querySelectorAll(".mistakes")) old.remove();
      for (const field of card.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
      card.classList.toggle("wrong", own.length > 0);
      if (!own.length) continue;
      const list = document.createElement("ul");
      list.className = "mistakes";
      list.id = `m-${unit}-now`;
      for (const one of own) {
        const item = document.createElement("li");
        item.textContent = one.words;
        list.append(item);
        const field = fieldOf(one);
        field?.setAttribute("aria-invalid", "true");
        field?.setAttribute("aria-describedby", list.id);
      }
      card.querySelector(".facts").after(list);
    }
  }

  function merged(root, told) {
    const notice = root.querySelector("[data-merged]");
    notice.querySelector("p").textContent = told;
    notice.hidden = false;
    notice.querySelector("[data-close]").onclick = () => { notice.hidden = true; };
  }

  return { show, unheard, pressed, problems, merged, busy: (isBusy) => { busyText.hidden = !isBusy; } };
}
