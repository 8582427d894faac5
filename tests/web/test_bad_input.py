"""Whatever comes, the answer is a clear page: never a bug, and nothing half kept."""

from __future__ import annotations

import pytest

from tests.web.conftest import Post

STRANGE = [
    "'",
    '"',
    "<script>alert(1)</script>",
    "\u202egnp.exe",
    "🦔" * 50,
    "%00",
    "../../etc/passwd",
    "a" * 3000,
    " ",
    "\u0301",
]


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize(
    "path",
    ["/b/{}", "/b/{}/desk", "/b/{}/seat/x", "/b/{}/t/1", "/b/{}/rules", "/k/{}", "/rules/{}", "/scenarios/{}.svg", "/{}"],
)
def test_strange_addresses_are_not_found(post: Post, path: str, name: str) -> None:
    from urllib.parse import quote

    answer = post.visitor().get(path.format(quote(name, safe="")))
    assert answer.status_code in {401, 403, 404, 405}
    assert "<script>alert" not in answer.text
    assert answer.headers["content-security-policy"]


@pytest.mark.parametrize("name", STRANGE)
def test_strange_seats_and_fields_are_refused(post: Post, name: str) -> None:
    from urllib.parse import quote

    battle = post.battle()
    client, master = post.holder(battle.seat_keys["south"]), post.holder(battle.master_key)
    assert client.get(f"/b/{battle.id}/seat/{quote(name, safe='')}").status_code in {403, 404}
    assert master.get(f"/b/{battle.id}/desk/orders/{quote(name, safe='')}").status_code == 404
    form = {
        "turn": name,
        "revision": name,
        "action": "save",
        f"unit:{name}": "1",
        f"shoot:{name}": name,
        f"path:{name}": name,
    }
    answer = client.post(f"/b/{battle.id}/seat/south", data={**form, "turn": "1", "revision": "0"})
    assert answer.status_code == (422 if name.strip() else 303)
    assert client.post(f"/b/{battle.id}/seat/south", data=form).status_code == 409
    assert "<script>alert" not in answer.text
    assert master.post(f"/b/{battle.id}/desk", data={"action": name, "turn": name}).status_code == 400
    assert client.post(f"/b/{battle.id}/seat/south", data={**form, "action": name}).status_code == 400


def test_a_text_of_a_megabyte_is_refused_and_nothing_is_kept(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    given = {"turn": "1", "revision": "0", "action": "text"}
    for text, status in (("LM B3 hold\n" * 100_000, 413), ("x" * 900_000, 422), ("LM B3 hold\n" * 50_000, 422)):
        answer = client.post(f"/b/{battle.id}/seat/south", data={**given, "text": text})
        assert answer.status_code == status
    assert 'name="revision" value="0"' in client.get(f"/b/{battle.id}/seat/south").text


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/json", b"{}", 400),
        ("multipart/form-data; boundary=x", b"--x--", 400),
        ("text/plain", b"a=b", 400),
        ("application/x-www-form-urlencoded", b"\xff\xfe%zz&&&===", 422),
        ("application/x-www-form-urlencoded", b"a=b&" * 30_000, 400),
        ("application/x-www-form-urlencoded", b"", 422),
    ],
)
def test_a_body_that_is_no_form_is_refused(post: Post, kind: str, body: bytes, status: int) -> None:
    answer = post.visitor().post("/battles/new", content=body, headers={"content-type": kind})
    assert answer.status_code == status
    assert "<h1" in answer.text


def test_another_site_cannot_send_forms(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.master_key)
    headers = {"sec-fetch-site": "cross-site", "origin": "https://evil.example"}
    answer = client.post(f"/b/{battle.id}/desk", data={"action": "resolve", "turn": "1"}, headers=headers)
    assert answer.status_code == 403
    assert "another site" in answer.text
    assert "Turn 1" in client.get(f"/b/{battle.id}").text


def test_wrong_methods_and_heads_are_answered(post: Post) -> None:
    client = post.visitor()
    assert client.delete("/").status_code == 405
    assert client.post("/rules/cohesion").status_code == 405
    head = client.head("/")
    assert head.status_code == 200
    assert head.content == b""
    assert client.get("/healthz").text == "ok"


def test_static_files_are_kept_for_ever_under_their_own_address(post: Post) -> None:
    import re

    page = post.visitor().get("/").text
    address = re.search(r'href="(/static/fieldpost\.css\?v=[0-9a-f]+)"', page)
    assert address
    answer = post.visitor().get(address[1])
    assert "immutable" in answer.headers["cache-control"]
    assert len(answer.content) < 30_000
    assert post.visitor().get("/static/../app.py").status_code == 404


def test_what_programs_ask_is_answered_as_json(post: Post) -> None:
    answer = post.visitor().get("/api/v1/battles/nothing")
    assert answer.status_code == 404
    assert answer.json()["code"] == "no-battle"
    assert post.visitor().get("/b/nothing/t/1.json").json()["code"] == "no-battle"
    assert post.visitor().get("/api/v1/openapi.json").status_code == 200


def test_pages_hold_nothing_inline(post: Post) -> None:
    import re

    battle = post.battle()
    master = post.holder(battle.master_key)
    master.post(f"/b/{battle.id}/desk", data={"action": "resolve", "turn": "1"})
    for path in (
        "/",
        "/battles/new",
        "/rules/cohesion",
        *(f"/b/{battle.id}{p}" for p in ("", "/desk", "/t/1", "/desk/orders/south")),
    ):
        page = master.get(path).text
        assert not re.search(r"<[^>]+\s(style|on[a-z]+)=", page), path
        assert not re.search(r"<(style|script)(?![^>]*\ssrc=)[^>]*>", page), path
