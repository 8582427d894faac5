"""Drawings on a side's plan by the API: what is drawn is seen by the side, and one takes away one's own alone."""

from __future__ import annotations

from typing import Any

PLACE = "/api/v1/battles/{id}/seats/{seat}/plan/drawings"


def test_what_a_seat_draws_stands_in_its_plan_until_it_takes_it_away(game: Any) -> None:
    south, place = game.seats["south"], PLACE.format(id=game.id, seat="south")
    made = south("POST", place, {"turn": 1, "kind": "arrow", "cells": ["B3", "B2"], "text": "go"})
    assert made.status_code == 201, made.text
    [drawing] = made.json()["drawings"]
    assert (drawing["kind"], drawing["cells"], drawing["text"], drawing["seat"]) == ("arrow", ["B3", "B2"], "go", "south")
    assert south("GET", place.removesuffix("/drawings")).json()["drawings"] == [drawing]
    stale = south("DELETE", f"{place}/{drawing['id']}?turn=2")
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")
    other = game.seats["north"]("DELETE", f"{PLACE.format(id=game.id, seat='north')}/{drawing['id']}?turn=1")
    assert other.status_code == 200
    assert south("GET", place.removesuffix("/drawings")).json()["drawings"] == [drawing], "another's is left"
    for _ in range(2):
        assert south("DELETE", f"{place}/{drawing['id']}?turn=1").json()["drawings"] == []


def test_a_drawing_that_cannot_be_is_refused(game: Any) -> None:
    south, place = game.seats["south"], PLACE.format(id=game.id, seat="south")
    for body, code in (
        ({"turn": 1, "kind": "arrow", "cells": ["B3"]}, "bad-drawing"),
        ({"turn": 1, "kind": "note", "cells": ["B3"]}, "bad-drawing"),
        ({"turn": 1, "kind": "mark", "cells": ["ZZ99"]}, "bad-drawing"),
        ({"turn": 2, "kind": "mark", "cells": ["B3"]}, "stale"),
        ({"turn": 1, "kind": "cloud", "cells": ["B3"]}, "bad-body"),
        ({"turn": 1, "kind": "mark", "cells": ["B3"] * 13}, "bad-body"),
        ({"turn": 1, "kind": "mark", "cells": "B3"}, "bad-body"),
    ):
        answer = south("POST", place, body)
        assert answer.json()["code"] == code, (body, answer.text)
    for address in ("5f0c", "5f0c?turn=0", "5f0c?turn=x"):
        assert south("DELETE", f"{place}/{address}").status_code == 422, address
