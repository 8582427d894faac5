"""The letters of the story, by address, as a real mail server took them."""

from __future__ import annotations

import re
from collections import Counter
from email.message import EmailMessage
from functools import cache

from tests.posting.postoffice import PostOffice, text_of


class Mailbox:
    """A look into a post office."""

    def __init__(self, office: PostOffice) -> None:
        self.office = office

    def texts(self, address: str) -> list[str]:
        """What came to an address, oldest first: subject and text."""
        return [f"{letter['Subject']}\n{text_of(letter)}" for to, letter in self.office.letters if to == address]

    def told(self, address: str, words: str) -> int:
        """In how many letters to an address some words stand."""
        return sum(words in flat(text) for text in self.texts(address))

    def all_but(self, *addresses: str) -> list[tuple[str, str]]:
        """Every letter to anybody else, whole: address and bytes as text."""
        return [(to, _whole(letter)) for to, letter in self.office.letters if to not in addresses]

    def link(self, address: str, which: str) -> str:
        """The path of the last link of a kind (`confirm`, `end`) that an address was sent."""
        found = re.findall(rf"/notices/{which}/\S+", self.texts(address)[-1])
        assert found, (address, which)
        return str(found[0])

    def marks(self) -> Counter[str]:
        return Counter(_mark(letter) for _, letter in self.office.letters)


@cache
def _whole(letter: EmailMessage) -> str:
    return letter.as_string()


def flat(text: str) -> str:
    return " ".join(text.split())


def _mark(letter: EmailMessage) -> str:
    return str(letter["Message-ID"])
