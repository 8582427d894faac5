// What a drag over the field does to the order of the chosen unit, or of the unit on which it begins.
import { pathDrag, trailed } from "./fielddrag.js";

export function pathDrawing(svg, map, doing) {
  let from = ""; // the cell from which it draws
  let whose = "";

  // A drag from the unit itself begins its path anew; a withdrawal stands if the path goes on from there.
  function dragged(cells) {
    const { data } = doing.chosen();
    const now = doing.order();
    if (from !== data.cell || !now.withdraw) return { ...now, path: trailed(data, from === data.cell ? { ...now, path: [] } : now, cells) };
    if (cells[0] === now.withdraw) return { ...now, path: trailed(data, { ...now, path: [] }, cells.slice(1)) };
    const without = { ...now, withdraw: "", path: [] };
    return { ...without, path: trailed(data, without, cells) };
  }

  return pathDrag(svg, map.cellUnder, {
    grip(element, type) {
      const { unit, mark } = element.closest?.("[data-mark], [data-unit]")?.dataset ?? {};
      const chosen = doing.chosen();
      from = "";
      if (mark) from = chosen.data && mark === doing.ending(doing.order()) ? mark : "";
      else if (unit && (unit === chosen.unit || (type !== "touch" && doing.isOwn(unit)))) from = map.cellOf(unit);
      whose = unit ?? chosen.unit;
      return from;
    },
    draws(cells) {
      if (whose !== doing.chosen().unit) doing.select(whose);
      if (doing.chosen().data) doing.drafts(dragged(cells));
    },
    async done(cells) {
      const unit = whose;
      if (unit !== doing.chosen().unit) doing.select(unit);
      await doing.ask(unit).catch(() => {});
      if (unit !== doing.chosen().unit || !doing.chosen().data) return;
      const { path, withdraw } = dragged(cells);
      const now = doing.order();
      doing.done(path.join() === now.path.join() && withdraw === now.withdraw ? null : { withdraw, path });
    },
    undone: () => doing.done(null),
  });
}
