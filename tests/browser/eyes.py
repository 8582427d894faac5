"""What stands against a page: what axe finds, and by measuring where axe is blind."""

from __future__ import annotations

import json

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

SERIOUS = frozenset({"serious", "critical"})
_NO_PICTURES = 'axe.configure({rules: [{id: "color-contrast", selector: "*:not(text)"}]})'
"""What a shape behind a picture's letters is filled with axe does not know: of some it says nothing, of others that they
stand on the page's own ground. `FAINT` measures those."""
FAINT = """() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3)
      .map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const found = [];
  for (const counter of document.querySelectorAll(".counters [data-unit], svg.emblem")) {
    const use = counter.querySelector(":scope > use");
    const paper = (use ? document.querySelector(use.getAttribute("href")) : counter)?.querySelectorAll(":scope > path")[1];
    const name = counter.dataset.unit ?? "an emblem";
    if (!paper) found.push(`${name}: a counter without a body`);
    for (const text of paper ? counter.querySelectorAll("text") : []) {
      const [low, high] = [text, paper].map((one) => light(getComputedStyle(one).fill)).sort((a, b) => a - b);
      if (high / low < 4.5) found.push(`${name}: ${text.textContent} has a contrast of ${(high / low).toFixed(2)}`);
    }
  }
  return found;
}"""


def faults(page: Page, *, within: str = "") -> list[str]:
    """What is serious. `within`: of one part of the page only."""
    options = {"resultTypes": ["violations"], "preload": False}
    page.evaluate(f"() => {{ {AXE_SCRIPT}\n{_NO_PICTURES} }}")
    found = page.evaluate(f"axe.run({json.dumps(within) if within else 'document'}, {json.dumps(options)})")["violations"]
    told = [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found if one["impact"] in SERIOUS]
    return told + page.evaluate(FAINT)
