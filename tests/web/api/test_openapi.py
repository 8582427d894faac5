"""The OpenAPI document: whole, with examples that are true, and kept by the server under random calls."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from starlette.testclient import TestClient

from app.config import Settings
from app.referee import accounts, verification
from app.store.db import Database
from app.web.api import refusalmodels
from app.web.api.service import service
from app.web.house import House
from app.web.tries import Tries

CALLS = {
    ("get", "/api/v1/scenarios"),
    ("post", "/api/v1/battles"),
    ("get", "/api/v1/battles/{id}"),
    ("get", "/api/v1/battles/{id}/turns/{n}"),
    ("get", "/api/v1/battles/{id}/seats/{seat}/sheet"),
    ("get", "/api/v1/battles/{id}/seats/{seat}/plan"),
    ("post", "/api/v1/battles/{id}/seats/{seat}/plan/drawings"),
    ("delete", "/api/v1/battles/{id}/seats/{seat}/plan/drawings/{drawing}"),
    ("put", "/api/v1/battles/{id}/seats/{seat}/sheet"),
    ("post", "/api/v1/battles/{id}/seats/{seat}/check"),
    ("post", "/api/v1/battles/{id}/turns/{n}/resolve"),
    ("post", "/api/v1/battles/{id}/turns/{n}/publish"),
    ("post", "/api/v1/battles/{id}/rulings"),
    ("get", "/api/v1/battles/{id}/schedule"),
    ("put", "/api/v1/battles/{id}/schedule"),
    ("post", "/api/v1/battles/{id}/deadline"),
    ("post", "/api/v1/battles/{id}/pause"),
    ("post", "/api/v1/battles/{id}/pause/answer"),
    ("post", "/api/v1/battles/{id}/go-on"),
    ("post", "/api/v1/battles/{id}/rewind"),
    ("get", "/api/v1/battles/{id}/branches"),
    ("get", "/api/v1/battles/{id}/branches/{line}/turns/{n}"),
    ("post", "/api/v1/battles/{id}/branches/{line}/take-up"),
    ("get", "/api/v1/battles/{id}/talk"),
    ("post", "/api/v1/battles/{id}/talk"),
    ("get", "/api/v1/battles/{id}/seats/{seat}/talk/{channel}"),
    ("post", "/api/v1/battles/{id}/seats/{seat}/talk/{channel}"),
    ("get", "/api/v1/battles/{id}/seats/{seat}/words"),
    ("put", "/api/v1/battles/{id}/seats/{seat}/words"),
    ("post", "/api/v1/campaigns"),
    ("get", "/api/v1/campaigns/{campaign}"),
    ("post", "/api/v1/campaigns/{campaign}/battles"),
    ("get", "/api/v1/open"),
    ("get", "/api/v1/battles/{id}/open"),
    ("get", "/api/v1/battles/{id}/askings"),
    ("post", "/api/v1/battles/{id}/askings"),
    ("post", "/api/v1/battles/{id}/askings/{asking}"),
    ("get", "/b/{id}/t/{n}.json"),
    ("get", "/b/{id}/t/{n}.svg"),
}


@pytest.fixture
def document(game: Any) -> Any:
    return game.public("GET", "/api/v1/openapi.json").json()


def _operations(document: Any) -> Iterator[tuple[str, str, Any]]:
    for path, calls in document["paths"].items():
        for method, operation in calls.items():
            yield method, path, operation


def test_the_document_holds_every_call_and_nothing_else(document: Any) -> None:
    assert {(method, path) for method, path, _ in _operations(document)} == CALLS


def test_every_refusal_of_every_call_has_an_example_of_its_own_shape(document: Any) -> None:
    for method, path, operation in _operations(document):
        refusals = {status: told for status, told in operation["responses"].items() if status >= "400"}
        assert refusals or path == "/api/v1/scenarios", (method, path)
        for status, told in refusals.items():
            examples = told["content"]["application/json"]["examples"]
            assert examples, (method, path, status)
            for code, example in examples.items():
                assert example["value"]["code"] == code
                refusalmodels.Refusal.model_validate(example["value"])


def test_a_call_with_a_body_may_be_refused_for_it(document: Any) -> None:
    for _, path, operation in _operations(document):
        if "requestBody" in operation:
            assert {"400", "401", "403", "413", "422", "429"} <= operation["responses"].keys(), path


def test_whatever_may_come_with_a_body_may_be_refused_for_its_size(document: Any) -> None:
    for method, path, operation in _operations(document):
        assert ("413" in operation["responses"]) == (method != "get"), (method, path)


def test_the_frameworks_own_refusals_are_not_in_the_document(document: Any) -> None:
    assert not {"HTTPValidationError", "ValidationError"} & document["components"]["schemas"].keys()


def _shape(value: Any) -> Any:
    """Names and kinds, without the values: what two answers of one call have in common."""
    if isinstance(value, dict):
        return {key: _shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_shape(inner) for inner in value]
    return type(value).__name__


def test_the_examples_are_one_exchange_that_comes_off_as_they_say(account: Any, document: Any) -> None:
    """The second battle made, its south's orders entered in both forms, its turn resolved: every answer has the shape of its
    example, and the game master's ruling is one that is taken."""

    def bodies(method: str, path: str) -> Any:
        content = document["paths"][path][method]["requestBody"]["content"]["application/json"]
        return {name: example["value"] for name, example in content["examples"].items()}

    def shown(method: str, path: str) -> Any:
        responses = document["paths"][path][method]["responses"]
        return next(told for status, told in responses.items() if status < "300")["content"]["application/json"]["example"]

    def answered(method: str, template: str, body: Any = None, *, caller: Any = account) -> Any:
        answer = caller(method.upper(), template.format(id=told.get("id"), seat="south", n=1), body)
        assert answer.status_code < 300, answer.text
        assert _shape(answer.json()) == _shape(shown(method, template)), (method, template)
        return answer.json()

    one = "/api/v1/battles/{id}"
    told: Any = {}
    made = bodies("post", "/api/v1/battles")
    assert account("POST", "/api/v1/battles", made["by-key"]).status_code == 201
    told = answered("post", "/api/v1/battles", made["own-file"])
    answered("get", one)
    south = replace(account, token=told["seats"][1]["key"])
    sheets = bodies("put", one + "/seats/{seat}/sheet")
    for body in sheets.values():
        checked = south("POST", f"/api/v1/battles/{told['id']}/seats/south/check", body)
        assert checked.json()["orders"] == sheets["orders"]["orders"]
    answered("put", one + "/seats/{seat}/sheet", sheets["orders"], caller=south)
    answered("get", one + "/seats/{seat}/sheet", caller=south)
    answered("get", one + "/seats/{seat}/plan", caller=south)
    answered("put", one + "/seats/{seat}/words", bodies("put", one + "/seats/{seat}/words")["words"], caller=south)
    answered("get", one + "/seats/{seat}/words", caller=south)
    answered("post", one + "/talk", bodies("post", one + "/talk")["message"], caller=south)
    thread = account("GET", one.format(id=told["id"]) + "/talk").json()
    assert [(one["text"], one["mentions"]) for one in thread["messages"]] == [("Your *guns* are late, @South.", ["South"])]
    answered("post", one + "/turns/{n}/resolve")
    record = answered("get", one + "/turns/{n}")
    assert record["seed"]["secret"] == shown("get", one + "/turns/{n}")["seed"]["secret"], "the seed was given"
    answered("post", one + "/rulings", bodies("post", one + "/rulings")["unit"])
    campaign = answered("post", "/api/v1/campaigns", bodies("post", "/api/v1/campaigns")["war"])
    joining = {**bodies("post", "/api/v1/campaigns/{campaign}/battles")["own"], "battle": told["id"]}
    joined = account("POST", f"/api/v1/campaigns/{campaign['id']}/battles", joining)
    assert _shape(joined.json()) == _shape(shown("post", "/api/v1/campaigns/{campaign}/battles"))
    stands = account("GET", f"/api/v1/campaigns/{campaign['id']}").json()
    assert _shape(stands) == _shape(shown("get", "/api/v1/campaigns/{campaign}"))


def test_the_example_of_a_record_is_a_proof(document: Any) -> None:
    content = document["paths"]["/api/v1/battles/{id}/turns/{n}"]["get"]["responses"]["200"]["content"]
    found = verification.verify(content["application/json"]["example"])
    assert [f for f in found if not f.holds and f.code != "version"] == []


@pytest.fixture(scope="module")
def world(sqlite_template: Path, skirmish: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """A service with a battle in its second turn, to which random calls may do anything."""
    file = tmp_path_factory.mktemp("openapi") / "fieldpost.db"
    shutil.copy(sqlite_template, file)
    db, now = Database(f"sqlite:///{file}"), datetime(2026, 11, 30, 12, tzinfo=UTC)
    api = service(House(db, Settings(base_url="https://fieldpost.example"), now=lambda: now, tries=Tries(most=10**6)))
    token = accounts.make_token(db, "Master", now)
    http = TestClient(api)
    made = http.post(
        "/api/v1/battles", json={"scenario_file": skirmish}, headers={"Authorization": f"Bearer {token}"}
    ).json()
    http.post(f"/api/v1/battles/{made['id']}/turns/1/resolve", headers={"Authorization": f"Bearer {token}"})
    keyed = {"Authorization": f"Bearer {token}"}
    campaign = http.post("/api/v1/campaigns", json={"title": "War"}, headers=keyed).json()
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", api)
    yield {"schema": schema, "made": made, "token": token, "campaign": campaign}
    db.close()


@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize(("method", "path"), sorted(CALLS))
def test_the_server_keeps_to_the_document_under_random_calls(
    world: dict[str, Any], method: str, path: str, mode: GenerationMode
) -> None:
    """Every answer has a status, a type and a shape that the document knows, and what breaks the document is refused. What
    keeps to it may be refused all the same: for its orders, its scenario. Valid addresses lead to a battle that is there
    half of the time, and every kind of caller has a turn."""
    operation = world["schema"][path][method]
    made = world["made"]
    there = {
        "id": made["id"],
        "seat": "north",
        "line": 1,
        "asking": 1,
        "channel": "master",
        "drawing": "5f0c",
        "campaign": world["campaign"]["id"],
        "n": 1 if path.startswith("/api") else "1",
    }
    tokens = [world["token"], made["seats"][0]["key"], made["desk"]["key"], world["campaign"]["desk"]["key"]]

    @settings(max_examples=10, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode), is_there=st.booleans(), token=st.sampled_from(tokens))
    def called(case: Any, is_there: bool, token: str) -> None:
        if is_there and mode is GenerationMode.POSITIVE and case.path_parameters:
            case.path_parameters = {name: there[name] for name in case.path_parameters}
        answer = case.call(headers={"Authorization": f"Bearer {token}"})
        allowed = [positive_data_acceptance, *([negative_data_rejection] if answer.status_code == 413 else [])]
        case.validate_response(answer, excluded_checks=allowed)

    try:
        called()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE, "a call without parameters cannot be made wrong"
