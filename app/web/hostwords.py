"""What is said to the server's host: alarms, stages, kinds of what is sent."""

from __future__ import annotations

from app.language import Translator
from app.language import marked as _
from app.referee.overview import Alarm

STAGES = {
    "late": _("late"),
    "failed": _("given up"),
    "running": _("in hand"),
    "waiting": _("waits"),
}
WHATS = {
    "notice": _("notice"),
    "turn": _("turn's report"),
    "trial": _("trial post"),
    "entry": _("letter to sign in"),
}
JOBS = {
    "todo": _("waiting"),
    "doing": _("running"),
    "failed": _("failed"),
    "cancelled": _("cancelled"),
    "aborted": _("cancelled"),
}
NO_SWEEP = _("No clock is running: nothing is resolved by its deadline. Is a server or a worker up?")


def alarm(found: Alarm, words: Translator) -> str:
    """An alarm as one sentence."""
    if found.code == "no-sweep":
        return words.gettext(NO_SWEEP)
    if found.code == "turns-late":
        return words.ngettext("%(num)s turn is overdue.", "%(num)s turns are overdue.", found.count)
    return words.ngettext("%(num)s notice or post is overdue.", "%(num)s notices and posts are overdue.", found.count)


def stage(name: str, words: Translator) -> str:
    return words.gettext(STAGES[name])


def what(kind: str, words: Translator) -> str:
    """What is sent."""
    return words.gettext(WHATS[kind]) if kind in WHATS else kind


def job(status: str, words: Translator) -> str:
    """A stage of a worker's job."""
    return words.gettext(JOBS.get(status, status))
