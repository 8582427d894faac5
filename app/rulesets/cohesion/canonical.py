"""A sheet -> its canonical text (docs/text-orders.md); `textorders` reads it back."""

from __future__ import annotations

from app.engine.ruleset import Request
from app.rulesets.cohesion.lexicon import lexicon
from app.rulesets.cohesion.names import Names
from app.rulesets.cohesion.orders import Sheet
from app.rulesets.cohesion.state import State
from app.rulesets.cohesion.tokens import Scanner


def write_text(state: State, _: Request, sheet: Sheet, language: str) -> str:
    """A sheet in canonical words, a unit a line, in the order of the state's units. `read_text` gives the sheet back."""
    words = lexicon().write.get(language, lexicon().write["en"])
    names = Names(state, lexicon())
    known = [unit_id for unit_id in state.units if unit_id in sheet.orders]
    lines = []
    for unit_id in (*known, *(unit_id for unit_id in sheet.orders if unit_id not in state.units)):
        order = sheet.orders[unit_id]
        parts = []
        if order.shoot is not None:
            parts.append(words["shoot"].format(_name(state, names, order.shoot, language)))
        if order.melee is not None:
            parts.append(words["melee"].format(_name(state, names, order.melee, language)))
        if order.withdraw is not None:
            parts.append(words["withdraw"].format(order.withdraw))
        if order.move:
            parts.append(words["step" if len(order.move) == 1 else "path"].format("-".join(order.move)))
        lines.append(f"{_name(state, names, unit_id, language)}: {'; '.join(parts) or words['hold']}")
    return "\n".join(lines)


def _name(state: State, names: Names, unit_id: str, language: str) -> str:
    """A unit by its code and cell; by the cell alone where the code would be misread."""
    unit = state.units.get(unit_id)
    if unit is None:
        return unit_id
    label = state.board.grid.labels[unit.at]
    code = state.types[unit.type].code.get(language, unit.type)
    tokens = list(Scanner(f"{code} {label}", names, lexicon()).tokens())[1:]
    if [token.kind for token in tokens] == ["code", "cell"] and unit.type in tokens[0].means:
        return f"{code} {label}"
    return label if not names.units(label) else unit_id
