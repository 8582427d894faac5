"""Places of a stranger's tree that cannot be read: told one by one, or gathered and told together."""

from __future__ import annotations

from types import TracebackType

from app.engine.ruleset import Problem, Unreadable

Where = tuple[str, ...]


class UnreadableAt(Unreadable):
    """A place that cannot be read; `where` is the way to it, `why` says what is wrong; `problem`: the same with a code, for
    which there are words; `more`: others that were found with it."""

    def __init__(self, where: Where, why: str, problem: Problem | None = None, more: tuple[UnreadableAt, ...] = ()) -> None:
        self.where = where
        self.why = why
        self.problem = problem
        self.more = more
        super().__init__(f"{'.'.join(where)}: {why}" if where else why)

    @property
    def each(self) -> tuple[UnreadableAt, ...]:
        """All of them, in the order in which they were found."""
        return (self, *self.more)


def fail(where: Where, why: str) -> UnreadableAt:
    return UnreadableAt(where, why)


class Mistakes:
    """What cannot be read, gathered: a block `with mistakes:` breaks off at its first mistake, and what follows it is still
    looked at; `end` raises all of them as one."""

    __slots__ = ("found",)

    def __init__(self) -> None:
        self.found: list[UnreadableAt] = []

    def __enter__(self) -> None:
        return None

    def __exit__(self, _: type[BaseException] | None, bad: BaseException | None, __: TracebackType | None) -> bool:
        if bad is None or not isinstance(bad, UnreadableAt):
            return False
        self.found += bad.each
        return True

    def add(self, where: Where, why: str) -> None:
        self.found.append(UnreadableAt(where, why))

    def end(self) -> None:
        """Raises `UnreadableAt` if there is any."""
        if self.found:
            first, *rest = self.found
            raise UnreadableAt(first.where, first.why, first.problem, (*first.more, *rest))
