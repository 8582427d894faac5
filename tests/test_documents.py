"""The documents: whatever they link to is there, and each is reached from the README; the API's lists every call."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.config import Settings
from app.web.app import create_app
from app.web.pages import ROUTERS

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
HOSTING = (ROOT / "docs" / "hosting.md", ROOT / "docs" / "hosting.ru.md")
_BLOCK = re.compile(r"```\w*\n.*?```", re.DOTALL)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s#]+)(?:#[^)]*)?\)")
_ANCHOR = re.compile(r"\]\(([^)\s#]*)#([^)\s]+)\)")
_CALL = re.compile(r"`((?:GET|POST|PUT|DELETE|PATCH)(?:`?, `?(?:GET|POST|PUT|DELETE|PATCH))*) (/api/v1/[^` ?]+)")


def _links(file: Path) -> list[Path]:
    """The files of ours that a document names in links."""
    text = re.sub(r"```.*?```", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    return [(file.parent / found).resolve() for found in _LINK.findall(text) if "://" not in found]


def _documents() -> list[Path]:
    return [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def test_every_link_between_documents_leads_to_a_file() -> None:
    dead = [f"{file.relative_to(ROOT)}: {link}" for file in _documents() for link in _links(file) if not link.exists()]
    assert dead == []


def test_every_link_to_a_heading_leads_to_one() -> None:
    dead = []
    for file in _documents():
        for path, heading in _ANCHOR.findall(file.read_text(encoding="utf-8")):
            aim = (file.parent / path).resolve() if path else file
            if "://" not in path and heading not in _headings(aim):
                dead.append(f"{file.relative_to(ROOT)}: {path}#{heading}")
    assert dead == []


def _headings(file: Path) -> set[str]:
    """As forges make addresses of them."""
    found = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in found}


def test_every_document_is_reached_from_the_readme() -> None:
    reached, ahead = set[Path](), [README]
    while ahead:
        file = ahead.pop()
        if file in reached:
            continue
        reached.add(file)
        here = sorted(file.glob("*.md")) if file.is_dir() else []
        ahead += [*here, *(link for link in (_links(file) if file.suffix == ".md" else ()) if link.exists())]
    lost = sorted(str(file.relative_to(ROOT)) for file in _documents() if file not in reached)
    assert lost == []


@pytest.mark.parametrize("page", HOSTING, ids=lambda page: page.name)
def test_the_proxys_logs_are_kept_free_of_every_address_that_is_a_key(page: Path) -> None:
    """`key` is a scenario's in one address. The change of language names the page to come back to."""
    (quiet, told) = re.findall(r"location ~ (\S+) \{(.*?)\}", page.read_text(encoding="utf-8"), re.DOTALL)[0]
    assert "access_log off;" in told
    assert "error_log /dev/null;" in told
    paths = {getattr(route, "path", "") for router in ROUTERS for route in router.routes}
    keys = {path for path in paths if re.search("{(key|ticket|token)}", path) and not path.startswith("/scenarios/")}
    assert keys >= {"/k/{key}"}
    keys.add("/language/{language}")
    assert [path for path in sorted(keys) if not re.match(quiet, path)] == []
    assert not any(re.match(quiet, path) for path in paths - keys)


def test_the_pages_for_hosts_say_the_same_commands_in_both_languages() -> None:
    """Word for word what is typed or written into a file, and the same names in the text."""
    english, russian = (page.read_text(encoding="utf-8") for page in HOSTING)
    assert _BLOCK.findall(russian) == _BLOCK.findall(english)
    assert _names(russian) == _names(english)
    assert english.count("\n## ") == russian.count("\n## ")


def _names(text: str) -> set[str]:
    return set(re.findall(r"`([^`\n]+)`", _BLOCK.sub("", text)))


def test_the_api_document_lists_every_call_and_no_other(tmp_path: Path) -> None:
    app: FastAPI = create_app(Settings(data=tmp_path), upgrade=True)
    served = {(method, _shape(path)) for method, path in _calls(app)}
    named = set[tuple[str, str]]()
    for methods, path in _CALL.findall((ROOT / "docs" / "api.md").read_text(encoding="utf-8")):
        named |= {(method, _shape(path)) for method in re.findall(r"[A-Z]+", methods)}
    assert sorted(served - named) == []
    assert sorted(named - served) == []


def test_the_api_document_lists_every_refusal_with_its_status(tmp_path: Path) -> None:
    named = dict[str, set[str]]()
    for line in (ROOT / "docs" / "api.md").read_text(encoding="utf-8").splitlines():
        if row := re.match(r"\| (4\d\d) \| (.*) \|$", line):
            named[row[1]] = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", row[2]))
    paths = _document(create_app(Settings(data=tmp_path), upgrade=True))["paths"]
    told = dict[str, set[str]]()
    for answers in (call["responses"] for calls in paths.values() for call in calls.values()):
        for status, answer in answers.items():
            if status.startswith("4"):
                told.setdefault(status, set()).update(re.findall(r'"code": "([a-z-]+)"', json.dumps(answer)))
    assert [(status, code) for status, codes in told.items() for code in sorted(codes - named.get(status, set()))] == []


def _document(app: FastAPI) -> dict[str, Any]:
    with TestClient(app) as client:
        made: dict[str, Any] = client.get("/api/v1/openapi.json").json()
    return made


def _calls(app: FastAPI) -> list[tuple[str, str]]:
    paths = _document(app)["paths"]
    return [(method.upper(), path) for path, calls in paths.items() if path.startswith("/api/v1/") for method in calls]


def _shape(path: str) -> str:
    """Whatever the parameters are called."""
    return re.sub(r"\{[^}]*\}", "{}", path)
