"""Each template uses exactly what its context has, so that neither a page nor a template says more than the other."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import fields
from pathlib import Path

import pytest
from jinja2 import meta, nodes

import app.web.errors
import app.web.pages
from app.config import shipped
from app.web.context import GLOBALS, Page, environment

for _module in pkgutil.iter_modules(app.web.pages.__path__, "app.web.pages."):
    importlib.import_module(_module.name)


def _below(context: type[Page]) -> list[type[Page]]:
    return [found for one in context.__subclasses__() for found in (one, *_below(one))]


CONTEXTS = {context.template: context for context in _below(Page) if "template" in vars(context)}
FRAMEWORK = {"gettext", "ngettext", "pgettext", "npgettext", *GLOBALS}
PARTS = {
    "base.html",
    "talk/messages.html",
    *(f"orders/{part}.html" for part in ("allies", "card", "glance", "head", "own", "plan", "saved", "saving", "stale")),
    *(f"orders/{part}.html" for part in ("state", "text", "ways")),
}


def _is_page(name: str) -> bool:
    return name not in PARTS and not name.startswith("parts/")


def _used(name: str) -> set[str]:
    """The variables of a template and of those that it extends or includes."""
    env = environment("en")
    assert env.loader is not None
    tree = env.parse(env.loader.get_source(env, name)[0])
    used = set(meta.find_undeclared_variables(tree))
    for parent in tree.find_all((nodes.Extends, nodes.Include)):
        assert isinstance(parent.template, nodes.Const)
        used |= _used(parent.template.value)
    return used - FRAMEWORK - _own_names(tree)


def _own_names(tree: nodes.Template) -> set[str]:
    """Macros of the template, its own and imported ones: the finder does not see them from within blocks."""
    imported = {
        pair if isinstance(pair, str) else pair[1] for found in tree.find_all(nodes.FromImport) for pair in found.names
    }
    return imported | {macro.name for macro in tree.find_all(nodes.Macro)}


@pytest.mark.parametrize("name", sorted(CONTEXTS))
def test_a_template_uses_exactly_the_fields_of_its_context(name: str) -> None:
    assert _used(name) == {field.name for field in fields(CONTEXTS[name])}


def test_every_page_template_has_a_context() -> None:
    folder = shipped("templates")
    names = {str(file.relative_to(folder)) for file in folder.rglob("*.html")}
    assert {name for name in names if _is_page(name)} == set(CONTEXTS)


def test_macros_use_nothing_but_what_they_are_given() -> None:
    folder = shipped("templates")
    for file in (*(folder / "parts").glob("*.html"), folder / "orders" / "card.html"):
        assert _used(str(file.relative_to(folder))) == set(), file.name


@pytest.mark.parametrize("file", sorted(shipped("templates").rglob("*.html")), ids=lambda f: f.name)
def test_no_template_has_an_inline_style_or_script(file: Path) -> None:
    """The content security policy forbids them, so that they would silently do nothing."""
    text = file.read_text(encoding="utf-8")
    assert " style=" not in text
    assert " onclick=" not in text
    assert "|safe" not in text
    for script in text.split("<script")[1:]:
        assert 'src="' in script.split(">")[0]
