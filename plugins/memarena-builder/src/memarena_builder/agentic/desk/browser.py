"""Headless Chromium with the desk in it, and the moves that a recording is made of."""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memarena.errors import UsageError

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--no-sandbox", "--font-render-hinting=none", "--disable-lcd-text", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
)  # fmt: skip
WIDE, SMALL = (1024, 768), (390, 844)
"""Pixels of a window, and of a telephone."""
REDRAW = """() => {
  const list = document.getElementById("items");
  const [left, top, inner] = [scrollX, scrollY, list.scrollTop];
  document.body.style.display = "none";
  document.body.getBoundingClientRect();
  document.body.style.display = "";
  scrollTo(left, top);
  list.scrollTop = inner;
  return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
PATIENCE = 10_000
"""Milliseconds for one move."""


@cache
def browser() -> Browser:
    """The browser of this process; raises UsageError where there is none."""
    from playwright.sync_api import Error, sync_playwright

    program = os.environ.get("MEMARENA_CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)
    driver = sync_playwright().start()
    try:
        started = driver.chromium.launch(executable_path=program, args=list(FLAGS))
    except Error as error:
        driver.stop()
        raise UsageError("there is no Chromium: install it, or name it by MEMARENA_CHROMIUM") from error
    atexit.register(_close, started, driver)
    return started


def _close(started: Browser, driver: Any) -> None:
    started.close()
    driver.stop()


class Desk:
    """One desk in a window of its own."""

    def __init__(self, world: Mapping[str, Any]) -> None:
        width, height = SMALL if world["small"] else WIDE
        self._context = browser().new_context(
            viewport={"width": width, "height": height}, device_scale_factor=1, locale="en-US", timezone_id="UTC"
        )
        self._page = self._context.new_page()
        self._page.set_default_timeout(PATIENCE)
        self._page.set_content(Path(__file__).with_name("desk.html").read_text(encoding="utf-8"))
        self._seen: dict[str, Any] | None = None
        """The state since the last move, where it was asked for."""
        self.begin(world)

    def begin(self, world: Mapping[str, Any]) -> None:
        """Lay a world on the desk, whatever was there."""
        self._seen = None
        self._page.evaluate("state => begin(state)", world)

    def make(self, move: list[Any]) -> None:
        """Make a move: `click SELECTOR`, `fill SELECTOR TEXT`, `choose SELECTOR OPTION`, or `behind APP NAME CHANGES`,
        which is what somebody else did meanwhile."""
        kind, *rest = move
        self._seen = None
        if kind == "click":
            self._page.click(rest[0])
        elif kind == "fill":
            self._page.fill(rest[0], rest[1])
        elif kind == "choose":
            self._page.select_option(rest[0], rest[1])
        else:
            self._page.evaluate("([app, name, changes]) => behind(app, name, changes)", rest)

    def look(self) -> dict[str, Any]:
        """The whole state of the desk; only `make` and `begin` change it."""
        if self._seen is None:
            self._seen = dict(json.loads(self._page.evaluate("() => JSON.stringify(desk)")))
        return self._seen

    def state(self) -> str:
        """A hash of it."""
        return hashlib.sha256(json.dumps(self.look(), sort_keys=True).encode()).hexdigest()[:16]

    def picture(self) -> bytes:
        """A screenshot as PNG, of a page that is drawn anew: what was drawn bit by bit may differ at soft edges."""
        self._page.evaluate(REDRAW)
        return self._page.screenshot(animations="disabled", caret="hide")

    def close(self) -> None:
        """Close the window."""
        self._context.close()
