"""The turn, phase by phase: sections 4, 6 to 9, 12 and 13 of the rules."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.rulesets.cohesion.second import going
from tests.rulesets.cohesion.second.army import KINDS, Dice, Troop, half
from tests.rulesets.cohesion.second.board import Cell, Field
from tests.rulesets.cohesion.second.sheet import Order, refusals


class Hit(NamedTuple):
    by: str
    on: str
    cohesion: int
    strength: int


class Referee:
    """A case, all of its parts written."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.case = case
        self.field = Field(case["board"])
        self.dice = Dice(bytes.fromhex(case.get("seed", "")), case["turn"], None if "seed" in case else case.get("dice", {}))
        self.points: dict[str, int] = dict(case["points"])
        self.winner: str | None = None
        self.gone: list[str] = []
        self.orders: dict[str, Order] = {}
        self.troops = {unit_id: self._troop(unit_id, form) for unit_id, form in case["units"].items()}

    def _troop(self, unit_id: str, form: dict[str, Any]) -> Troop:
        kind = KINDS[form["type"]]
        return Troop(
            unit_id,
            form["type"],
            form["side"],
            self.field.cell[form["at"]],
            form.get("strength", kind.strength),
            form.get("upper", 6),
            form.get("lower", 6),
            form.get("cohesion", kind.start),
        )

    def rules(self, ruling: str, value: str) -> bool:
        return bool(self.case["rulings"].get(ruling) == value)

    def holders(self) -> dict[Cell, Troop]:
        return {troop.at: troop for troop in self.troops.values()}

    def foes_beside(self, cell: Cell, side: str) -> list[Troop]:
        return [troop for troop in self.troops.values() if troop.side != side and troop.at in self.field.near[cell]]

    def play(self) -> dict[str, Any]:
        rejected = {}
        for unit_id, order in self.case["orders"].items():
            if refused := refusals(self, unit_id, order):
                rejected[unit_id] = refused
            else:
                self.orders[unit_id] = order
        self._speak_for_the_silent()
        for phase in (self._shooting, self._melee, self._movement, self._recovery):
            phase()
            if self.winner is not None:
                break
        return {
            "units": {troop.id: self._told(troop) for troop in self.troops.values()},
            "gone": sorted(self.gone),
            "points": self.points,
            "winner": self.winner,
            "rejected": rejected,
            "dice": self.dice.rolled,
        }

    def _told(self, troop: Troop) -> dict[str, Any]:
        parts = {"upper": troop.upper, "lower": troop.lower} if troop.type == "WS" else {"strength": troop.strength}
        return {"at": self.field.label[troop.at], "cohesion": troop.cohesion, **parts}

    def _speak_for_the_silent(self) -> None:
        for troop in self.troops.values():
            if troop.cohesion > 0 and troop.id not in self.orders:
                foes = self.foes_beside(troop.at, troop.side) if self.rules("missing-orders", "fights") else []
                weakest = min(foes, key=lambda foe: (foe.strength, foe.id), default=None)
                self.orders[troop.id] = {} if weakest is None else {"melee": weakest.id}

    def _shooting(self) -> None:
        hits = []
        for unit_id in sorted(self.orders):
            order = self.orders[unit_id]
            if "shoot" in order:
                unit, target = self.troops[unit_id], self.troops[order["shoot"]]
                weak = target.at in self.field.near[unit.at]
                dice = unit.shot(moving=bool(order.get("move")))
                hits += self._strike("shooting", unit, target, dice, terrifying=unit.type in ("WS", "CC"), weak=weak)
        self._take_losses("shooting", hits)
        self.look_for_victor()

    def _melee(self) -> None:
        hits = []
        for unit_id in sorted(self.orders):
            target = self.troops.get(self.orders[unit_id].get("melee", ""))
            if target is not None:
                unit = self.troops[unit_id]
                dice = unit.blow()
                if "rough" in (self.field.terrain.get(unit.at), self.field.terrain.get(target.at)):
                    dice = half(dice)
                weak = "withdraw" in self.orders.get(target.id, {})
                hits += self._strike("melee", unit, target, dice, terrifying=unit.type == "WS", weak=weak)
        self._take_losses("melee", hits)
        going.withdraw(self)
        self.look_for_victor()

    def _movement(self) -> None:
        going.move(self)

    def _recovery(self) -> None:
        found = []
        for troop in self.troops.values():
            friends = [x for x in self.troops.values() if x.at in self.field.near[troop.at] and x.side == troop.side]
            if troop.cohesion == 0:
                found.append((troop, min(sum(friend.cohesion > 0 for friend in friends), troop.kind.start)))
        for troop, gain in found:
            troop.cohesion += gain

    def _strike(self, phase: str, by: Troop, on: Troop, dice: int, *, terrifying: bool, weak: bool) -> list[Hit]:
        """Section 6."""
        if dice <= 0:
            return []
        special = on.kind.special or self.field.terrain.get(on.at) == "building"
        second_alone = False
        if weak and terrifying and not special:
            terrifying = False
        elif weak:
            second_alone = True
        if on.type == "WS" and not terrifying:
            second_alone = True
        if terrifying and not special:
            faces = sorted([self.dice.roll(phase, by.id, "attack") for _ in range(3 if dice == 1 else dice)], reverse=True)
            highest, next_one = faces[1:] if dice == 1 else faces[:2]
            return [Hit(by.id, on.id, highest, next_one)]
        faces = [self.dice.roll(phase, by.id, "attack") for _ in range(dice)]
        if special and not terrifying:
            counted = second_alone and self.rules("reroll", "counted")
            again = [face for face in faces if face >= (on.kind.second if counted else on.kind.first)]
            faces = [self.dice.roll(phase, by.id, "reroll") for _ in again]
        strength = sum(face >= on.kind.second for face in faces)
        cohesion = sum(face >= on.kind.first for face in faces)
        if second_alone:
            cohesion = strength if self.rules("second-only", "both") else 0
        return [Hit(by.id, on.id, cohesion, strength)]

    def _take_losses(self, phase: str, hits: list[Hit]) -> None:
        """Section 9."""
        places = {troop.id: troop.at for troop in self.troops.values()}
        fallen, dead = [], []
        for unit_id in sorted({hit.on for hit in hits}):
            troop, before = self.troops[unit_id], self.troops[unit_id].cohesion
            troop.cohesion = max(0, before - sum(hit.cohesion for hit in hits if hit.on == unit_id))
            if before > 0 and troop.cohesion == 0:
                fallen.append(troop)
            if self.wound(phase, troop, sum(hit.strength for hit in hits if hit.on == unit_id)):
                dead.append(troop)
        for troop in dead:
            self.destroy(troop)
        for troop in fallen:
            self.orders.pop(troop.id, None)
        for troop in fallen:
            took = {hit.by: hit.cohesion for hit in hits if hit.on == troop.id and hit.cohesion > 0}
            if self.rules("credit", "most"):
                took = {by: cohesion for by, cohesion in took.items() if cohesion == max(took.values())}
            beside = {x.id for x in self.foes_beside(troop.at, troop.side) if places[x.id] == x.at}
            for unit_id in beside.union(took).intersection(self.troops):
                gainer = self.troops[unit_id]
                gainer.cohesion = min(gainer.kind.cohesion, gainer.cohesion + 1)

    def wound(self, phase: str, troop: Troop, points: int) -> bool:
        """Strength lost, of the strider by its parts (WS); whether it is destroyed."""
        if troop.type != "WS":
            troop.one_strength = max(0, troop.one_strength - points)
            return troop.one_strength == 0
        for _ in range(points):
            if troop.upper == 0:
                break
            if troop.lower > 0 and self.dice.roll(phase, troop.id, "section") <= 4:
                troop.lower -= 1
            else:
                troop.upper -= 1
        return troop.upper == 0

    def destroy(self, troop: Troop) -> None:
        del self.troops[troop.id]
        self.orders.pop(troop.id, None)
        self.gone.append(troop.id)
        (scorer,) = set(self.points) - {troop.side}
        self.points[scorer] += troop.kind.value

    def look_for_victor(self) -> None:
        """Section 13."""
        (one, its), (other, others) = self.points.items()
        if max(its, others) < self.case["goal"] or (its == others and self.rules("tie", "on")):
            return
        self.winner = "draw" if its == others else one if its > others else other
