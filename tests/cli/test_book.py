"""`fieldpost book`: a site that stands by itself: whole, well formed, leading nowhere else, and provable."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import typer
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po
from typer.testing import CliRunner

import app
from app.book.writing import PROGRAM
from app.cli import book, import_, main, new
from app.config import shipped
from app.language import catalogue
from app.rulesets.registry import RULESETS

ROOT = Path(app.__file__).parent
CORPUS = Path(__file__).parents[1] / "corpus" / "exports" / "1"
VOID = {"meta", "link", "img", "br", "hr", "input", "source", "wbr", "col"}


class Read(HTMLParser):
    """Whether every tag is closed in its turn; which ids there are, and what is linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.note(attrs)
        assert tag != "script"
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.note(attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, (tag, self.getpos())

    def note(self, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        assert len(told) == len(attrs), attrs
        assert not [name for name in told if name.startswith("on")]
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.links += [value for name, value in attrs if name in ("href", "src", "srcset", "xlink:href") and value]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Any:
    room = tmp_path_factory.mktemp("host")
    line = typer.Typer()
    line.callback()(lambda: None)
    for command in (new, import_, book):
        command.register(line)

    def called(*words: object) -> Any:
        return CliRunner().invoke(line, [*map(str, words), "--data", str(room / "data")])

    return called


@pytest.fixture(scope="module", params=["en", "ru"])
def folder(request: pytest.FixtureRequest, run: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book of a battle that ended by a ruling, with films."""
    file = CORPUS / "ended-by-ruling.json"
    run("import", file, "--title", 'A <b>field</b> & "more"')
    out: Path = tmp_path_factory.mktemp("books") / request.param
    battle = json.loads(file.read_bytes())["battle"]["id"]
    result = run("book", battle, "--out", out, "--lang", request.param)
    assert result.exit_code == 0, result.output
    assert ("Записано" if request.param == "ru" else "is written") in result.output
    return out


def test_every_page_is_well_formed_and_every_link_leads_somewhere_inside(folder: Path) -> None:
    pages = {page.name: Read(page.read_text(encoding="utf-8")) for page in folder.glob("*.html")}
    assert set(pages) == {"index.html", "turn-1.html", "turn-2.html", "rules-en.html", "rules-ru.html", "proofs.html"}
    linked = set()
    for name, page in pages.items():
        assert page.open == [], name
        assert len(page.ids) == len(set(page.ids)), name
        for link in page.links:
            parts = urlsplit(link)
            assert (parts.scheme, parts.netloc, parts.query) == ("", "", ""), (name, link)
            assert not parts.path.startswith(("/", "..")), (name, link)
            target = unquote(parts.path) or name
            assert (folder / target).is_file(), (name, link)
            linked.add(target)
            if parts.fragment and target in pages:
                assert parts.fragment in pages[target].ids, (name, link)
    files = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    assert files - linked == set()


def test_styles_ask_for_nothing_outside(folder: Path) -> None:
    for style in folder.glob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert "url(" not in text
        assert "@import" not in text
        assert "prefers-color-scheme: dark" in text


def test_pictures_and_films_are_what_they_say(folder: Path) -> None:
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in folder.glob("*.png"))
    films = sorted(folder.glob("*.webp"))
    assert [film.name for film in films] == ["film.webp", "turn-1.webp", "turn-2.webp"]
    for film in films:
        assert film.read_bytes()[8:12] == b"WEBP"
        assert film.stat().st_size < 1_000_000


def test_a_page_tells_result_report_and_orders(folder: Path) -> None:
    index, turn = ((folder / name).read_text(encoding="utf-8") for name in ("index.html", "turn-1.html"))
    russian = folder.name == "ru"
    assert ("Победа: " if russian else "The battle is won by") in index
    assert ("Северный дозор <" if russian else "The northern patrol <") in index.partition('class="seats"')[2]
    assert "A &lt;b&gt;field&lt;/b&gt; &amp;" in index
    assert ("They went" in index, "The north went home." in index) == (False, True)
    assert 'class="turn-report"' in turn
    text = (folder / "turn-1.txt").read_text(encoding="utf-8")
    record = json.loads((folder / "records" / "turn-1.json").read_bytes())
    rules = RULESETS["cohesion"]
    before = rules.load_state(record["before"])
    blocks = [block.strip().split("\n", 1) for block in text.split("\n\n")]
    sheets = {sheet["seat"]: sheet["orders"] for sheet in record["sheets"]}
    requests = rules.requests(before)
    assert len(blocks) == len(requests) == 2
    for request, (_seat, lines) in zip(requests, blocks, strict=True):
        assert rules.dump_order(rules.read_text(before, request, lines)) == sheets[request.seat]
    assert bool(re.search("[а-я]", turn.split("</nav>")[1])) == russian


def test_the_records_hold_by_the_program_that_lies_beside_them(folder: Path) -> None:
    for record in sorted((folder / "records").iterdir()):
        done = subprocess.run([sys.executable, folder / "check.py", record], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "holds\n"), done.stderr
    assert PROGRAM in (shipped("rules").parent / "proof.md").read_text(encoding="utf-8")


def test_a_forged_record_is_found_by_it(folder: Path, tmp_path: Path) -> None:
    record = json.loads((folder / "records" / "turn-1.json").read_bytes())
    forged = tmp_path / "forged.json"
    forged.write_text(json.dumps({**record, "seed_commitment": "00" * 32}), encoding="utf-8")
    assert subprocess.run([sys.executable, folder / "check.py", forged], capture_output=True, check=False).returncode


def test_the_battle_in_a_book_can_be_imported(folder: Path, run: Any) -> None:
    result = run("import", folder / "battle.json", "--again", "--lang", "en")
    assert result.exit_code == 0, result.output


def test_a_folder_that_holds_something_else_is_left_alone(run: Any, tmp_path: Path) -> None:
    battle = re.search(r"Battle (\w+)", run("new", "first-skirmish").output)[1]  # type: ignore[index]
    (tmp_path / "letter.txt").write_text("Dear all")
    for options in ((), ("--again",)):
        result = run("book", battle, "--out", tmp_path, *options)
        assert (result.exit_code, "is not empty" in result.output) == (2, True)
    fresh = tmp_path / "fresh"
    assert run("book", battle, "--out", fresh, "--no-film").exit_code == 0
    assert "No turn was published yet." in (fresh / "index.html").read_text(encoding="utf-8")
    assert not list(fresh.glob("*.webp"))
    assert run("book", battle, "--out", fresh).exit_code == 2
    assert run("book", battle, "--out", fresh, "--again").exit_code == 0
    result = run("book", "nosuchone", "--out", tmp_path / "none")
    assert (result.exit_code, "no battle 'nosuchone'" in result.output) == (2, True)
    assert not (tmp_path / "none").exists()


def test_the_command_line_knows_it() -> None:
    assert main._wanted(["book"]) == ("book",)


def test_every_sentence_of_a_book_has_its_russian() -> None:
    keywords = {"_": None, "gettext": None, "ngettext": (1, 2)}
    options = {"trimmed": "true", "encoding": "utf-8"}
    told: set[Any] = set()
    places = (
        *(("jinja2", file) for file in sorted((shipped("templates") / "book").glob("*.jinja"))),
        *(("python", file) for file in (*sorted((ROOT / "book").glob("*.py")), ROOT / "cli" / "book.py")),
    )
    for method, file in places:
        told |= {found[1] for found in extract_from_file(method, file, keywords=keywords, options=options)}
    assert len(told) > 40
    russian = catalogue("ru")
    for text in told:
        found = russian.ugettext(text) if isinstance(text, str) else russian.ungettext(text[0], text[1], 1)
        assert found != (text if isinstance(text, str) else text[0]), text
    with (ROOT / "language" / "ru" / "book.po").open("rb") as source:
        own = {message.id for message in read_po(source, locale="ru") if message.id}
    assert own - told == set()
