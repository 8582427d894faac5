"""Refusals in words: one table from a code to a status and a sentence, for pages and the JSON API alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from app.language import marked as _
from app.language import translated, translator
from app.referee.errors import RefereeError


@dataclass(frozen=True)
class Refusal:
    status: int
    text: str


REFUSALS: dict[str, Refusal] = {
    "not-json": Refusal(400, _("The body is not JSON. Send one JSON object, with Content-Type: application/json.")),
    "bad-request": Refusal(400, _("The request cannot be read.")),
    "no-key": Refusal(401, _("No key, or a key that is not known here. Was it cut short, or renewed by the game master?")),
    "not-yours": Refusal(403, _("This key does not open that.")),
    "leads-here": Refusal(403, _("You lead this battle: a seat is closed to you until you have said that you play it.")),
    "plays-on": Refusal(409, _("You play in the turn that is sealed now: say that you play no more when it is published.")),
    "no-page": Refusal(404, _("There is nothing at this address.")),
    "no-battle": Refusal(404, _("There is no such battle.")),
    "no-turn": Refusal(404, _("There is no such turn, or it is not published yet.")),
    "no-branch": Refusal(404, _("There is no such line that was left, or it was taken up again.")),
    "no-looks": Refusal(403, _("The options of this battle do not allow a look at sealed orders now.")),
    "sealed-before": Refusal(403, _("This sheet was sealed while a stricter option held, and is read as that one has it.")),
    "no-seat": Refusal(404, _("There is no such seat in this battle.")),
    "no-scenario": Refusal(404, _("There is no such scenario here.")),
    "no-method": Refusal(405, _("This address does not take that method.")),
    "stale": Refusal(409, _("The battle has gone on since you looked; nothing of what you sent was kept.")),
    "closed": Refusal(409, _("This turn is closed: orders are no longer taken.")),
    "not-open": Refusal(409, _("The battle awaits no orders now.")),
    "paused": Refusal(409, _("The battle is paused. Let it go on first.")),
    "pause-instead": Refusal(
        409, _("You play in this battle: ask for a pause, to which others agree, or set another deadline.")
    ),
    "no-pause": Refusal(409, _("No pause is asked for now.")),
    "no-deadline": Refusal(409, _("This turn has no deadline that could be moved. Set one first.")),
    "not-under-review": Refusal(409, _("This turn is not under review.")),
    "too-large": Refusal(413, _("That is too long.")),
    "large-arms": Refusal(413, _("This picture's file is too large: at most 2 MB are taken.")),
    "bad-body": Refusal(422, _("Something in what you sent is not as it should be.")),
    "bad-scenario": Refusal(422, _("The scenario has mistakes; no battle was made.")),
    "bad-orders": Refusal(422, _("Some orders are refused; nothing of this sheet was kept.")),
    "long-text": Refusal(422, _("The text is too long: at most %(most)s characters are read. Nothing of it was kept.")),
    "bad-ruling": Refusal(422, _("This ruling cannot be carried out; nothing was changed.")),
    "bad-deadline": Refusal(422, _("A deadline should be a moment to come, and its zone a known one.")),
    "bad-hours": Refusal(422, _("Ask for a whole number of hours, from 1 to %(most)s.")),
    "bad-schedule": Refusal(422, _("No schedule: give hours, or times as “tue 21:00”; days off as 2026-12-31, not all.")),
    "bad-reason": Refusal(422, _("A reason has at most %(most)s characters that can be seen.")),
    "bad-seed": Refusal(422, _("A seed is written in hexadecimal digits, two for each byte, 64 bytes at most.")),
    "bad-title": Refusal(422, _("A title is one line of 1 to 200 characters that can be seen, without control signs.")),
    "foreign-origin": Refusal(403, _("This came from another site, and was not taken.")),
    "bad-picture": Refusal(422, _("A picture has scale 1, 2 or 3, theme light or dark, lang en or ru, still 0 or 1.")),
    "bad-post": Refusal(422, _("There is no such dialect, length, language, side or part of a post.")),
    "bad-name": Refusal(422, _("A name is one line of 1 to 80 characters that can be seen, without control signs.")),
    "bad-message": Refusal(
        422, _("A message has 1 to %(max)s signs that can be seen, none of them turning the direction of writing.")
    ),
    "bad-saying": Refusal(422, _("Lines in character have at most %(max)s signs, and some that can be seen.")),
    "bad-arms": Refusal(
        422,
        _(
            "This is no picture that can be used: send a whole PNG, JPEG, WebP or GIF of at most %(megabytes)s MB and "
            "%(megapixels)s million pixels, with nothing else in the file."
        ),
    ),
    "no-message": Refusal(404, _("There is no such message.")),
    "too-late": Refusal(409, _("A message can be changed within an hour, and not after it was taken back or hidden.")),
    "bad-drawing": Refusal(
        422,
        _(
            "An arrow leads over 2 to %(cells)s cells of the board, a mark and a note have one; "
            "what is written has at most %(most)s characters, and a note has some."
        ),
    ),
    "many-drawings": Refusal(422, _("A seat draws at most %(most)s things on the plan of a turn. Remove one first.")),
    "bad-password": Refusal(422, _("A password has %(least)s to %(most)s signs.")),
    "bad-mail": Refusal(422, _("This is no mail address, as name@example.org.")),
    "no-account": Refusal(401, _("There is no account of this name with this password.")),
    "name-taken": Refusal(409, _("This name is taken. Choose another.")),
    "mail-taken": Refusal(409, _("This address belongs to another account.")),
    "no-entry": Refusal(401, _("This link was used already, is older than an hour, or a newer one was sent.")),
    "no-link": Refusal(
        409, _("This seat was given to your account and has no link: ask the game master to give it to somebody else.")
    ),
    "seat-taken": Refusal(409, _("Another account holds this already.")),
    "plays-himself": Refusal(409, _("You play yourself: who does not play rules on a draft. You may publish it.")),
    "publish-first": Refusal(409, _("You play in this battle yourself: publish this turn before you take the battle back.")),
    "holds-seat": Refusal(409, _("Your account holds a seat of this battle: so you play in it.")),
    "not-now": Refusal(403, _("This link works from %(begins)s to %(ends)s (%(zone)s).")),
    "not-allowed": Refusal(403, _("The options of this battle do not allow that; the game master can.")),
    "bad-leave": Refusal(
        422,
        _("You come back later than you leave, at a moment to come, within a year; and the time zone is one of the list."),
    ),
    "no-leave": Refusal(409, _("No leave is named for this seat.")),
    "bad-deputy": Refusal(
        422, _("Who stands in is another commander of the same side, an account by its exact name, or a link.")
    ),
    "no-campaign": Refusal(404, _("There is no such campaign.")),
    "in-campaign": Refusal(409, _("This battle belongs to a campaign already. It has to leave that one first.")),
    "bad-description": Refusal(422, _("A description has at most 20,000 characters, without control signs.")),
    "bad-sides": Refusal(422, _("A side has a key of Latin letters, two names and a colour as #c33; at most %(most)s.")),
    "bad-standing": Refusal(422, _("Choose a known side or a name, and at least one number other than 0, up to %(most)s.")),
    "too-many": Refusal(409, _("There are %(most)s already, and no more are kept.")),
    "not-sought": Refusal(409, _("Nothing of the kind is open in this battle now.")),
    "no-asking": Refusal(404, _("There is no such asking, or it is another's.")),
    "asking-over": Refusal(409, _("This asking was answered or taken back meanwhile.")),
    "asked-already": Refusal(409, _("You have asked already. Take that back first, if you would have something else.")),
    "bad-words": Refusal(422, _("Words have at most %(most)s characters that can be seen.")),
    "bad-offer": Refusal(422, _("An offer stands for a whole number of hours, 0 to %(most)s.")),
    "no-choosing": Refusal(409, _("Sides choose among themselves only before the first turn is resolved.")),
    "side-full": Refusal(409, _("This side has as many people as seats.")),
    "not-choosing": Refusal(409, _("There is nothing to choose on this side now.")),
    "claims-enough": Refusal(409, _("Each of you may claim %(most)s, so that everybody gets one.")),
    "contested": Refusal(409, _("Two of you claim the same contingent: one has to give way first.")),
    "no-swap": Refusal(409, _("This exchange is not possible, or not any more.")),
    "unsettled": Refusal(409, _("It is not settled yet who has this seat: orders can be entered when it is.")),
    "too-often": Refusal(429, _("Too many tries. Wait a little.")),
    "busy": Refusal(503, _("Too many pictures are being drawn just now. Ask again in a moment.")),
    "unknown-game": Refusal(
        501, _("This battle is played by rules that this server does not have now (%(game)s). Nothing of it is lost.")
    ),
    "unavailable": Refusal(
        503,
        _("The server's database gives no answer just now. See whether what you sent was kept, and try again in a minute."),
    ),
    "broken": Refusal(500, _("Something broke here. It is written down under this number.")),
}  # fmt: skip


def status(code: str) -> int:
    """The HTTP status of a refusal. A code without a row is a mistake of the program: 500."""
    return REFUSALS.get(code, REFUSALS["broken"]).status


def words(code: str, language: str, params: Mapping[str, str | int] | None = None) -> str:
    """The sentence of a refusal, with its parameters filled in."""
    text = translated(REFUSALS.get(code, REFUSALS["broken"]).text, language)
    return text % _spoken(params, language) if params else text


def _spoken(params: Mapping[str, str | int], language: str) -> Mapping[str, str | int]:
    """Moments, where there are any, by the clock of the zone that stands beside them."""
    begins, ends, zone = (str(params.get(name, "")) for name in ("begins", "ends", "zone"))
    if not begins or not ends:
        return params
    say = translator(language)
    since, until = datetime.fromisoformat(begins), datetime.fromisoformat(ends)
    return {**params, "begins": say.moment(since, zone), "ends": say.moment(until, zone), "zone": say.zone(zone, until)}


def told(refused: RefereeError, language: str) -> str:
    """The same of what the referee would not do."""
    return words(refused.code, language, refused.params)
