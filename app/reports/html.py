"""A report as an HTML fragment: semantic, with classes, without styles. Every word of others is escaped."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from markupsafe import Markup, escape

from app.language import marked as _
from app.reports import Resolved, prose, report
from app.reports.rules import book
from app.reports.tree import (
    CellName,
    Die,
    Entry,
    Fragment,
    Group,
    Mark,
    Name,
    Report,
    Roll,
    RuleName,
    Section,
    Sentence,
    Text,
    UnitName,
    Why,
    Words,
)
from app.reports.voice import Voice, voice

_PIPS = {
    1: ((3, 3),),
    2: ((1.6, 1.6), (4.4, 4.4)),
    3: ((1.6, 1.6), (3, 3), (4.4, 4.4)),
    4: ((1.6, 1.6), (4.4, 1.6), (1.6, 4.4), (4.4, 4.4)),
    5: ((1.6, 1.6), (4.4, 1.6), (3, 3), (1.6, 4.4), (4.4, 4.4)),
    6: ((1.6, 1.4), (4.4, 1.4), (1.6, 3), (4.4, 3), (1.6, 4.6), (4.4, 4.6)),
}
_MARKS: dict[Mark, str] = {
    "miss": _("takes nothing"),
    "first": _("reaches the first threshold"),
    "second": _("reaches the second threshold"),
    "again": _("is rolled again"),
    "cohesion": _("cohesion falls by it"),
    "strength": _("strength falls by it"),
    "aside": _("is put aside"),
}
_JOIN = Markup("")


def turn_report(turn: Resolved, language: str, *, rules_url: str) -> Markup:
    """A turn as safe HTML. Entries have ids (`melee-3`), rule numbers link to `rules_url#NUMBER`."""
    return write(report(turn, language), rules_url=rules_url)


def write(told: Report, *, rules_url: str) -> Markup:
    say, texts = voice(told.language), _Texts(told.language, told.ruleset, rules_url)
    inside = [
        _faces(),
        Markup('<p class="headline">{}</p>').format(_sentence(told.headline, texts)),
        *(_section(section, texts, say) for section in told.sections),
        _rules(told, texts, say),
    ]
    return Markup('<div class="turn-report" lang="{}">{}</div>').format(told.language, _JOIN.join(inside))


@dataclass(frozen=True)
class _Texts:
    """Where a rule's own words are found, and the page that its number links to."""

    language: str
    ruleset: str
    url: str


def _section(section: Section, texts: _Texts, say: Voice) -> Markup:
    parts = []
    if section.empty:
        parts.append(Markup('<p class="nothing">{}</p>').format(section.empty))
    for group in section.groups:
        if not group.entries:
            continue
        if group.title:
            links = _links(group.rules, texts)
            parts.append(Markup('<h3 class="group">{} {}</h3>').format(group.title, links))
        entries = _JOIN.join(_entry(entry, group, texts, say) for entry in group.entries)
        parts.append(Markup('<ol class="entries">{}</ol>').format(entries))
    return Markup('<section class="phase phase-{0}" id="phase-{0}"><h2>{1}</h2>{2}</section>').format(
        section.id, section.title, _JOIN.join(parts)
    )


def _entry(entry: Entry, group: Group, texts: _Texts, say: Voice) -> Markup:
    link = Markup('<a class="self" href="#{0}" title="{1}">#</a>').format(entry.id, say.word("Link to this line"))
    told = Markup('<p class="told">{} {} {}</p>').format(_sentence(entry.sentence, texts), _links(entry.rules, texts), link)
    dice = _JOIN.join(_roll(roll, say) for roll in entry.rolls)
    return Markup(
        '<li class="entry {kind} {severity}" id="{id}" data-units="{units}" data-cells="{cells}">{told}{dice}{why}</li>'
    ).format(
        kind=entry.kind,
        severity=entry.severity,
        id=entry.id,
        units=" ".join(entry.units),
        cells=" ".join(entry.cells),
        told=told,
        dice=dice,
        why=_why(entry, group, texts, say),
    )


def _roll(roll: Roll, say: Voice) -> Markup:
    faces = _JOIN.join(_die(die, roll.sides, say.word(_MARKS[die.mark]) if die.mark else "") for die in roll.dice)
    return Markup(
        '<p class="dice"><span class="caption">{}</span> <span class="faces">{}</span> <code class="address">{}</code></p>'
    ).format(roll.caption, faces, roll.address)


@lru_cache(maxsize=512)
def _die(die: Die, sides: int, did: str) -> Markup:
    """A face: drawn where a die has six, its number for those who do not see it; what it did in words as well."""
    drawn = Markup("")
    if sides <= 6 and die.face in _PIPS:
        drawn = Markup('<svg width="20" height="20" aria-hidden="true"><use href="#die-{}"/></svg>').format(die.face)
    number = Markup('<span class="{}">{}</span>').format("visually-hidden" if drawn else "number", die.face)
    if not did:
        return Markup('<span class="die" data-face="{}">{}{}</span> ').format(die.face, drawn, number)
    return Markup(
        '<span class="die {mark}" data-face="{face}" title="{did}">{drawn}{number}'
        '<span class="visually-hidden"> ({did})</span></span> '
    ).format(mark=die.mark, face=die.face, did=did, drawn=drawn, number=number)


def _why(entry: Entry, group: Group, texts: _Texts, say: Voice) -> Markup:
    """Reasons folded away, with the words of every rule that stands behind them: why, or the details where none does.
    What happens in a group happens when its turn has come, so its heading is a reason as well."""
    reasons = entry.why
    if group.title:
        reasons = (*reasons, Why((Text(group.title),), group.rules[0] if group.rules else None))
    named = tuple(dict.fromkeys((*entry.rules, *(why.rule for why in reasons if why.rule))))
    if not reasons and not named:
        return Markup("")
    items = [
        Markup("<li>{} {}</li>").format(_sentence(why.sentence, texts), _links((why.rule,) if why.rule else (), texts))
        for why in reasons
    ]
    return Markup('<details class="why"><summary>{}</summary>{}{}</details>').format(
        say.word("Why?") if named else say.word("Details"),
        Markup("<ul>{}</ul>").format(_JOIN.join(items)) if items else "",
        _texts_of(named, texts),
    )


@lru_cache(maxsize=4096)
def _texts_of(numbers: tuple[str, ...], texts: _Texts) -> Markup:
    """Rules, each with its words, in the order of the rules."""
    rules = book(texts.language, texts.ruleset)
    items = [_rule_text(number, texts) for number in sorted(numbers, key=_order(tuple(rules.rules))) if rules.has(number)]
    return Markup("<dl>{}</dl>").format(_JOIN.join(items)) if items else Markup("")


def _rules(told: Report, texts: _Texts, say: Voice) -> Markup:
    """Each rule that the report names, once, with its text."""
    found = _texts_of(told.rules, texts)
    if not found:
        return Markup("")
    return Markup('<details class="rules-named"><summary>{}</summary>{}</details>').format(
        say.word("The rules named in this report"), found
    )


@lru_cache(maxsize=4096)
def _rule_text(number: str, texts: _Texts) -> Markup:
    text = Markup(book(texts.language, texts.ruleset).html(number, texts.url))  # noqa: S704  (cleaned by its reader)
    return Markup("<dt>{}</dt><dd>{}</dd>").format(_rule(number, texts), text)


def _order(numbers: tuple[str, ...]) -> Any:
    places = {number: place for place, number in enumerate(numbers)}
    return lambda number: places.get(number, len(places))


@lru_cache(maxsize=4096)
def _links(numbers: tuple[str, ...], texts: _Texts) -> Markup:
    links = Markup(", ").join(_rule(number, texts) for number in numbers)
    return Markup('<span class="rules">{}</span>').format(links) if links else Markup("")


@lru_cache(maxsize=4096)
def _rule(number: str, texts: _Texts) -> Markup:
    """A link, unless the rules have none of that number: a game master may cite what he likes."""
    if not book(texts.language, texts.ruleset).has(number):
        return Markup('<span class="rule-number">{}</span>').format(number)
    return Markup('<a class="rule-number" href="{}#{}">{}</a>').format(texts.url, number, number)


def _sentence(sentence: Sentence, texts: _Texts) -> Markup:
    return _JOIN.join(_fragment(piece, texts) for piece in sentence)


def _fragment(piece: Fragment, texts: _Texts) -> Markup:
    if isinstance(piece, UnitName):
        cell = Markup(' (<span class="cell">{}</span>)').format(piece.cell) if piece.cell else ""
        return Markup('<span class="unit side-{}" data-unit="{}"><abbr title="{}">{}</abbr> {}{}</span>').format(
            piece.side, piece.id, piece.title, piece.code, piece.id, cell
        )
    if isinstance(piece, Name):
        return Markup("<bdi>{}</bdi>").format(piece.text)
    if isinstance(piece, Words):
        return Markup('<q class="words" dir="auto">{}</q>').format(prose.inline(piece.source))
    if isinstance(piece, CellName):
        return Markup('<span class="cell" data-cell="{0}">{0}</span>').format(piece.text)
    if isinstance(piece, RuleName):
        return _rule(piece.text, texts)
    return escape(piece.text)


@cache
def _faces() -> Markup:
    """The six faces, drawn once and used by every die."""
    symbols = _JOIN.join(
        Markup('<symbol id="die-{}" viewBox="0 0 6 6">{}{}</symbol>').format(
            face,
            Markup('<rect class="die-body" x="0.2" y="0.2" width="5.6" height="5.6" rx="1"/>'),
            _JOIN.join(Markup('<circle class="die-pip" cx="{}" cy="{}" r="0.6"/>').format(x, y) for x, y in pips),
        )
        for face, pips in _PIPS.items()
    )
    return Markup('<svg class="die-faces" width="0" height="0" aria-hidden="true">{}</svg>').format(symbols)
