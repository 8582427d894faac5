// Orders that the referee does not have yet: kept in this browser until he has, each page under a name of its own.
import { fill, meantByFields } from "./orderfields.js";

const PAGE = Math.random().toString(36).slice(2, 10);

function unsentStore(battle, seat) {
  const start = `fieldpost:unsent:${battle}:${seat}:`;

  // `kept`: { units: { id: { fields, line } }, text }
  function put(turn, kept) {
    try {
      const name = `${start}${turn}:${PAGE}`;
      if (Object.keys(kept.units).length || kept.text) localStorage.setItem(name, JSON.stringify({ turn, ...kept }));
      else localStorage.removeItem(name);
    } catch {
      // a browser that keeps nothing: the page still has all of it
    }
  }

  function others() {
    const found = [];
    try {
      for (const name of Object.keys(localStorage)) {
        const [turn, page, more] = name.startsWith(start) ? name.slice(start.length).split(":") : [];
        if (!/^\d+$/.test(turn ?? "") || !page || more !== undefined || page === PAGE) continue;
        const kept = read(name);
        if (kept) found.push({ name, turn: Number(turn), units: kept.units, text: kept.text ?? "" });
        else localStorage.removeItem(name);
      }
    } catch {
      // none
    }
    return found.sort((one, other) => other.turn - one.turn);
  }

  function read(name) {
    try {
      const kept = JSON.parse(localStorage.getItem(name));
      const all = Object.values(kept.units);
      return all.every((one) => typeof one.line === "string" && ["shoot", "fight", "move"].every((part) => "value" in one.fields[part])) ? kept : null;
    } catch {
      return null;
    }
  }

  const drop = (name) => localStorage.removeItem(name);
  return { put, others, drop, owns: (name) => name?.startsWith(start) };
}

export const linesOf = ({ units, text }) => [...Object.values(units).map((one) => one.line), ...(text ? [text] : [])].join("\n");

// The place on the page where they are offered again. `cardOf`: the units that take orders now, none on a page without a form.
export function unsentOrders(root, turn, cardOf, say, told) {
  const store = unsentStore(root.dataset.battle, root.dataset.seat);
  const box = root.querySelector("[data-unsent]");
  const part = (name) => box.querySelector(`[data-${name}]`);
  const title = box.querySelector("h2");
  const usual = title.textContent;
  const usualPut = part("put").textContent;
  let offered = null;
  let isOver = false;

  function show(kept, { put, drop, past, published, goesOn = false }) {
    title.textContent = past ? say("over", { turn: kept.turn }) : usual;
    part("why").hidden = past;
    const lines = linesOf(kept);
    box.querySelector("textarea").value = lines;
    box.querySelector("textarea").rows = Math.min(12, lines.split("\n").length + 1);
    box.querySelector("[data-copy]").dataset.copy = lines;
    part("put").hidden = !put;
    part("drop").hidden = !drop;
    const battle = `/b/${encodeURIComponent(root.dataset.battle)}`;
    link("report", past && published >= kept.turn, `${battle}/t/${kept.turn}`);
    link("battle-page", past && published < kept.turn, battle);
    link("new-turn", goesOn, root.dataset.url);
    part("put").textContent = past ? say("takeOver") : usualPut;
    box.hidden = false;
  }

  function link(name, isThere, href) {
    part(name).hidden = !isThere;
    part(name).href = href;
  }

  // What another page has left; what the referee has by now is dropped. `meant`: the saved orders by unit.
  function review(meant) {
    if (isOver) return;
    for (const kept of store.others()) {
      const isThere = kept.turn === turn && !kept.text && Object.entries(kept.units).every(([unit, one]) => meant.get(unit) === meantByFields(one.fields));
      if (isThere) store.drop(kept.name);
    }
    const left = store.others().filter((kept) => kept.turn <= turn);
    offered = left.find((kept) => kept.name === offered?.name) ?? left[0] ?? null;
    if (!offered) box.hidden = true;
    else show(offered, { put: cardOf.size > 0, drop: true, past: offered.turn < turn || !cardOf.size, published: Number(root.dataset.published) });
  }

  // This very page is of a turn that is over.
  function over(kept, published, goesOn) {
    isOver = true;
    show({ turn, ...kept }, { put: false, drop: false, past: true, published, goesOn });
  }

  part("put").addEventListener("click", () => {
    const kept = offered;
    const [put, out] = [[], []];
    for (const [unit, one] of Object.entries(kept.units)) {
      const card = cardOf.get(unit);
      const isWhole = Boolean(card) && fill(card, one.fields, { onlyOffered: kept.turn !== turn });
      (isWhole ? put : out).push(one.line.split(":")[0]);
    }
    const text = document.getElementById("orders-text");
    if (kept.text && text) {
      text.value = kept.text;
      text.closest("details").open = true;
      text.dispatchEvent(new Event("input", { bubbles: true }));
    }
    store.drop(kept.name);
    told(put, out);
  });
  part("drop").addEventListener("click", () => {
    store.drop(offered.name);
    told([], []);
  });

  return { review, over, keep: (kept) => store.put(turn, kept), owns: store.owns };
}
