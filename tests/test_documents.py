"""The documents: whatever they link to is there, and each is reached from the README; the API's lists every call."""

from __future__ import annotations

import re
from pathlib import Path

from fastapi import FastAPI
from starlette.testclient import TestClient

from app.config import Settings
from app.web.app import create_app

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s#]+)(?:#[^)]*)?\)")
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


def test_the_api_document_lists_every_call_and_no_other(tmp_path: Path) -> None:
    app: FastAPI = create_app(Settings(data=tmp_path), upgrade=True)
    served = {(method, _shape(path)) for method, path in _calls(app)}
    named = set[tuple[str, str]]()
    for methods, path in _CALL.findall((ROOT / "docs" / "api.md").read_text(encoding="utf-8")):
        named |= {(method, _shape(path)) for method in re.findall(r"[A-Z]+", methods)}
    assert sorted(served - named) == []
    assert sorted(named - served) == []


def _calls(app: FastAPI) -> list[tuple[str, str]]:
    with TestClient(app) as client:
        paths = client.get("/api/v1/openapi.json").json()["paths"]
    return [(method.upper(), path) for path, calls in paths.items() if path.startswith("/api/v1/") for method in calls]


def _shape(path: str) -> str:
    """Whatever the parameters are called."""
    return re.sub(r"\{[^}]*\}", "{}", path)
