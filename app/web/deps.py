"""What the pages' endpoints are given: the house, the reader's language, the fields of a form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, TypeVar
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from app.language import Translator
from app.referee.errors import RefereeError
from app.web.context import frame_of
from app.web.house import Here, House

__all__ = ["Body", "Fields", "Here", "House", "Words", "page_route", "pressed", "typed"]

Action = TypeVar("Action")
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])
MOST_FIELDS = 20_000
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""What no form of ours sends, and no database should hold."""


def _words(request: Request) -> Translator:
    return frame_of(request).words


async def _body(request: Request) -> bytes:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise HTTPException(400)
    return await request.body()


Words = Annotated[Translator, Depends(_words)]
Body = Annotated[bytes, Depends(_body)]
"""The bytes of a form. They are read on the loop, and taken apart (`typed`) in the endpoint's own thread."""


class Fields(Mapping[str, str]):
    """What was typed into a form, by name; of a name sent twice, the last. A name that was not sent is an empty text."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> str:
        return self._values.get(name, "")

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def line(self, name: str) -> str:
        """A text of one line, without blanks around it."""
        return " ".join(self[name].split())

    def is_on(self, name: str) -> bool:
        """Whether a box is ticked."""
        return self[name] not in {"", "0", "no"}

    def whole(self, name: str) -> int | None:
        """A whole number of at most nine digits; None: something else."""
        text = self[name].strip()
        return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None


def typed(body: bytes) -> Fields:
    """The fields of a form's bytes. What cannot be read as UTF-8 is shown as such; control characters are left out."""
    try:
        pairs = parse_qsl(
            body.decode("ascii", "replace"), keep_blank_values=True, errors="replace", max_num_fields=MOST_FIELDS
        )
    except ValueError:
        raise HTTPException(400) from None
    return Fields({CONTROLS.sub("", name): CONTROLS.sub("", value).replace("\r\n", "\n") for name, value in pairs})


def pressed(actions: Mapping[str, Action], fields: Fields) -> Action:
    """What the button stands for by which a form was sent. Raises `RefereeError("bad-request")`: the form has none such."""
    action = actions.get(fields["action"])
    if action is None:
        raise RefereeError("bad-request")
    return action


def page_route(router: APIRouter, path: str) -> Callable[[Endpoint], Endpoint]:
    """A page: for GET and HEAD, and no part of the API's document."""
    return router.api_route(path, methods=["GET", "HEAD"], include_in_schema=False, response_class=HTMLResponse)
