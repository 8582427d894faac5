// The panel beside the field: the chosen unit, its choices as buttons, and what is said of them.
export function fieldPanel(root, words, fill, doing) {
  const head = root.querySelector("[data-plan-head]");
  const place = root.querySelector("[data-plan-unit]");
  const says = root.querySelector("[data-plan-says]");
  const hint = root.querySelector("[data-plan-hint]");
  const done = root.querySelector("[data-plan-done]");

  const revert = root.querySelector("[data-revert]");
  revert.addEventListener("click", doing.revert);
  root.querySelector("[data-plan-ready]").addEventListener("click", doing.ready);
  for (const button of root.querySelectorAll("[data-next]")) button.addEventListener("click", () => doing.next(Number(button.dataset.next)));

  function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children.filter((child) => child !== null && child !== ""));
    return made;
  }

  // `key` names a button, so that the focus is on it again when the panel is drawn anew.
  function button(key, text, act, pressed = null) {
    const made = element("button", { type: "button", className: "quiet", textContent: text });
    made.dataset.key = key;
    if (pressed !== null) made.setAttribute("aria-pressed", String(pressed));
    made.addEventListener("click", act);
    return made;
  }

  // The odds that hold for an order: on the move where it moves. null: it cannot shoot so.
  function odds(shot, order) {
    if (!shot) return undefined;
    return order.path.length ? shot.moving : shot.still;
  }

  // What may come of it, a sentence each; `kind`: of that alone.
  function chances(target, order, kind = "") {
    const said = [];
    if (target.shoot && kind !== "melee") said.push(`${words.shoot}: ${odds(target.shoot, order)?.says ?? words.never}`);
    if (target.melee && kind !== "shoot") said.push(`${words.melee}: ${target.melee.stays.says}`);
    if (target.melee?.withdraws && kind !== "shoot") said.push(`${words.withdraws}: ${target.melee.withdraws.says}`);
    return said;
  }

  const about = (target, order) => [`${target.name} ${target.values}, ${target.far}.`, ...chances(target, order)].join(" ");

  function targets({ data, order }) {
    return data.targets.map((target) => {
      const { unit } = target;
      const row = element("li", {}, element("span", { className: "plan-target" }, element("strong", { textContent: target.name }), ` ${target.values} · ${target.far}`));
      const named = (verb) => `${verb}: ${target.name}`;
      for (const [kind, verb] of [["shoot", words.shoot], ["melee", words.melee]]) {
        if (!target[kind]) continue;
        const made = button(`${kind} ${unit}`, verb, () => doing.give(kind, unit), order[kind] === unit);
        made.setAttribute("aria-label", named(verb));
        made.addEventListener("focus", () => made.matches(":focus-visible") && doing.point(unit, "heard"));
        row.append(made);
      }
      row.append(...chances(target, order).map((textContent) => element("p", { className: "plan-odds", textContent })));
      row.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && doing.point(unit, "seen"));
      return row;
    });
  }

  // What the board alone cannot be tapped for: a cell where a friend stands now, a cell that is also a move.
  function others({ data, order }) {
    const last = order.path.at(-1);
    const start = order.withdraw || data.cell;
    const open = order.path.length < data.steps && !(last && data.stop.includes(last));
    const held = (open ? (data.near[last ?? start] ?? []) : []).filter((cell) => cell in data.held && !order.path.includes(cell));
    return [
      ...data.withdraw.map(({ cell }) => button(`withdraw ${cell}`, fill(words.withdraw, { cell }), () => doing.give("withdraw", cell), order.withdraw === cell)),
      ...held.map((cell) => button(`enter ${cell}`, fill(words.enter, { cell, unit: data.held_codes[data.held[cell]] }), () => doing.give("enter", cell))),
    ];
  }

  function moves({ data, order }) {
    const row = element("div", { className: "plan-row" });
    if (order.path.length) {
      row.append(
        element("span", { className: "plan-path", textContent: `${words.path}: ${order.path.join("-")}` }),
        button("undo", words.undo, () => doing.give("undo")),
        button("stay", words.stay, () => doing.give("stay")),
      );
    }
    row.append(button("hold", words.hold, () => doing.give("hold"), order.hold), button("leave", words.leave, () => doing.leave()));
    return row;
  }

  // Folded where nothing presses: no enemy beside it, nothing of it chosen.
  function more(state) {
    const { data, order } = state;
    const ways = others(state);
    if (!ways.length) return [];
    const row = element("div", { className: "plan-ways" }, ...ways);
    if (order.withdraw || (data.withdraw.length && data.targets.some((target) => target.melee))) return [row];
    const fold = element("details", { className: "plan-more", open: isMoreOpen }, element("summary", { textContent: fill(words.more, { number: ways.length }) }), row);
    fold.firstChild.dataset.key = "more";
    fold.addEventListener("toggle", () => (isMoreOpen = fold.open));
    return [fold];
  }
  let isMoreOpen = false;

  function asked({ question }) {
    const row = element("div", { className: "plan-question" }, element("p", { textContent: question.title }));
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", question.title);
    for (const [verb, what] of question.choices) {
      const text = { shoot: words.shoot, melee: words.melee, move: fill(words.move, { cell: what }), withdraw: fill(words.withdraw, { cell: what }) }[verb];
      row.append(button(`answer ${verb}`, text, () => doing.answer(verb, what)));
    }
    return row;
  }

  function named(card, selected) {
    const name = card.querySelector(".unit-name strong")?.textContent.trim() ?? selected;
    const said = card.querySelector("[data-says].says")?.textContent ?? "";
    return element("h2", {}, name, " ", element("span", { className: "plan-order", textContent: said }));
  }

  function counted({ all, number, isReady }) {
    const isDone = number === all && !isReady;
    hint.hidden = isDone;
    done.hidden = !isDone;
    return element("p", { className: "plan-count", textContent: fill(words.tally, { all, number }) });
  }

  // What stays the same stays where it is: a finger may be upon it.
  let last = {};
  function isSame(state) {
    const { data, card, ...rest } = state;
    const now = { data, key: JSON.stringify([rest, card?.querySelector("[data-says].says")?.textContent]) };
    const same = now.data === last.data && now.key === last.key;
    last = now;
    return same;
  }

  function show(state) {
    if (isSame(state)) return;
    const { selected, data, question, card, canRevert, warned, count } = state;
    revert.disabled = !canRevert;
    hint.hidden = done.hidden = true;
    place.hidden = !selected;
    root.classList.toggle("chosen", Boolean(selected));
    const key = document.activeElement?.dataset?.key;
    const inside = place.contains(document.activeElement);
    place.replaceChildren();
    head.replaceChildren(selected ? named(card, selected) : counted(count));
    if (!selected) return;
    if (warned) place.append(element("p", { className: "plan-warned", textContent: warned }));
    if (question) place.append(asked(state));
    else if (data) {
      const rows = targets(state);
      if (rows.length) place.append(element("ul", { className: "plan-targets" }, ...rows));
      if (data.close_says) place.append(element("p", { className: "hint", textContent: data.close_says }));
      if (data.hidden.length) {
        const list = element("ul", {}, ...data.hidden.map((one) => element("li", { textContent: one.says })));
        place.append(element("details", { className: "plan-hidden" }, element("summary", { textContent: fill(words.hidden, { number: data.hidden.length }) }), list));
      }
      place.append(moves(state), ...more(state));
    }
    if (inside) (place.querySelector(`[data-key="${CSS.escape(key ?? "")}"]`) ?? place.querySelector("button"))?.focus({ preventScroll: true });
  }

  // `isSeen` false: for the ear alone; the eye finds the same beside it.
  function say(text, isSeen = true) {
    if (says.textContent !== text) says.textContent = text;
    says.classList.toggle("visually-hidden", !isSeen);
  }

  function focusQuestion() {
    place.querySelector(".plan-question button")?.focus({ preventScroll: true });
  }

  return { show, say, about, chances, focusQuestion };
}
