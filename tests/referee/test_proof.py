"""The proof's arithmetic, against values worked out with the standard library alone."""

from __future__ import annotations

import hashlib
import json

from hypothesis import given
from hypothesis import strategies as st

from app.referee import proof

SECRET = bytes(range(32))


def test_the_canonical_text_has_sorted_keys_and_no_spaces() -> None:
    text = proof.canonical(
        battle="b1", nonce="n", orders={"S2": {}, "S1": {"shoot": "N1", "move": ["C4", "C5"]}}, revision=2, seat="юг", turn=3
    )
    assert text == (
        '{"battle":"b1","nonce":"n","orders":{"S1":{"move":["C4","C5"],"shoot":"N1"},"S2":{}},"revision":2,"seat":"юг","turn":3}'
    )


def test_a_digest_is_the_SHA_256_of_the_UTF_8_text() -> None:
    assert proof.digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert proof.digest("юг") == hashlib.sha256(b"\xd1\x8e\xd0\xb3").hexdigest()


def test_the_commitment_is_the_SHA_256_of_the_secret() -> None:
    assert proof.commitment(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_the_seed_is_made_of_the_secret_and_the_digests_in_order_of_seat() -> None:
    text = b"fieldpost/1:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f:aa,bb"
    assert proof.dice_seed(SECRET, ["aa", "bb"]) == hashlib.sha256(text).digest()
    assert proof.dice_seed(SECRET, ["bb", "aa"]) != proof.dice_seed(SECRET, ["aa", "bb"])


def test_a_turn_in_which_everybody_is_silent_has_a_seed_too() -> None:
    assert proof.dice_seed(SECRET, []) == hashlib.sha256(b"fieldpost/1:" + SECRET.hex().encode() + b":").digest()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_the_canonical_text_reads_back_as_what_was_sealed(orders: object) -> None:
    text = proof.canonical(battle="b", nonce="n", orders=orders, revision=1, seat="s", turn=1)
    assert json.loads(text) == {"battle": "b", "nonce": "n", "orders": orders, "revision": 1, "seat": "s", "turn": 1}
