"""`cohesion`, the forum battle: its functions under the names by which every ruleset is known."""

from __future__ import annotations

from app.engine.ruleset import Ruleset
from app.rulesets.cohesion.amend import amend, reroll
from app.rulesets.cohesion.amendform import amend_form, amend_read
from app.rulesets.cohesion.canonical import write_text
from app.rulesets.cohesion.carrying import carry, fallen
from app.rulesets.cohesion.checking import check
from app.rulesets.cohesion.codec import dump_event, dump_order, dump_state, load_event, load_order, load_state
from app.rulesets.cohesion.doctrine import WAYS, doctrine
from app.rulesets.cohesion.evolve import evolve
from app.rulesets.cohesion.film import beats, owners
from app.rulesets.cohesion.glance import glance
from app.rulesets.cohesion.orderform import choose, default, options, options_json, requests, tally
from app.rulesets.cohesion.orders import Sheet
from app.rulesets.cohesion.plans import planned
from app.rulesets.cohesion.prospects import prospects
from app.rulesets.cohesion.reading import read
from app.rulesets.cohesion.scene import scene
from app.rulesets.cohesion.sequence import advance, audience, outcome
from app.rulesets.cohesion.setup import SWITCHES, setup
from app.rulesets.cohesion.state import State
from app.rulesets.cohesion.textorders import read_text
from app.rulesets.cohesion.undo import undo


def view(state: State, _: str | None) -> State:
    """Nothing on this field is hidden: every seat, and the public, may know the whole state."""
    return state


COHESION: Ruleset[State, Sheet] = Ruleset(
    key="cohesion",
    version="1",
    switches=SWITCHES,
    silence="missing-orders",
    behind={"points": "POINTS-1", "idle": "UNIT-2"},
    setup=setup,
    requests=requests,
    options=options,
    options_json=options_json,
    read=read,
    read_text=read_text,
    write_text=write_text,
    check=check,
    default=default,
    choose=choose,
    advance=advance,
    evolve=evolve,
    amend=amend,
    undo=undo,
    reroll=reroll,
    amend_form=amend_form,
    amend_read=amend_read,
    tally=tally,
    outcome=outcome,
    view=view,
    audience=audience,
    scene=scene,
    plan=planned,
    prospects=prospects,
    glance=glance,
    beats=beats,
    owners=owners,
    doctrines=tuple(WAYS),
    doctrine=doctrine,
    fallen=fallen,
    carry=carry,
    dump_state=dump_state,
    load_state=load_state,
    dump_order=dump_order,
    load_order=load_order,
    dump_event=dump_event,
    load_event=load_event,
)
