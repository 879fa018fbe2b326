"""Tasks at the desk, played in a real Chromium."""

from __future__ import annotations

import io
import json
import os
import random
import shutil

import pytest

pytest.importorskip("playwright")

from PIL import Image, ImageColor

from memarena.datasets import open_data
from memarena_builder.agentic.desk.browser import PROGRAMS, Desk
from memarena_builder.agentic.desk.play import Clerk
from memarena_builder.agentic.desk.words import action
from memarena_builder.agentic.desk.world import APPS, REMEDIES, world
from memarena_builder.agentic.recipes import DeskRecipe
from memarena_builder.makers import make
from memarena_builder.order import DeskOrder
from memarena_builder.streams import Streams
from memarena_builder.validators.problem import plain, says

pytestmark = pytest.mark.skipif(
    not (os.environ.get("MEMARENA_CHROMIUM") or any(map(shutil.which, PROGRAMS))), reason="there is no Chromium"
)
ORDER = DeskOrder(
    sample_id="web_01",
    place="agent/gui/web",
    seed=2,
    recipe=DeskRecipe(apps=("mail", "files"), items=8),
    sessions=6,
    questions=15,
    checkpoints=3,
)
WORLD = world(tuple(APPS), 6, Streams(1, ("desk",)).rng("world"), small=False)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("desk")
    return root, make(ORDER, root)


@pytest.fixture(scope="module")
def log(made):
    root, _ = made
    return [json.loads(line) for line in (root / "hidden/web_01.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def window():
    opened = Desk(WORLD)
    yield opened
    opened.close()


@pytest.fixture
def desk(window):
    window.begin(WORLD)
    return window


def test_the_recorded_moves_on_a_fresh_desk_give_the_same_states_and_screenshots(log):
    import hashlib

    fresh = Desk(log[0]["world"])
    shots = {row["picture"]["image_id"]: row["sha256"] for row in log if row["row"] == "picture"}
    steps = [row for row in log if row["row"] == "step"]
    for row in steps:
        before = [move for move in row["moves"] if move[0] == "behind"]
        for move in before:
            fresh.make(move)
        if row["image_id"]:
            assert hashlib.sha256(fresh.picture()).hexdigest() == shots.pop(row["image_id"])
        for move in row["moves"][len(before) :]:
            fresh.make(move)
        assert fresh.state() == row["state"]
    fresh.close()
    assert shots == {}


def test_what_is_built_has_no_problem_left_and_what_was_ordered(made):
    _, built = made
    assert [each for each in built.problems if not each.repaired] == []
    assert built.counts["sessions"] == 6
    assert sum(number for name, number in built.counts.items() if name.startswith("questions ")) == 15


def test_the_loader_reads_what_was_built(made):
    root, _ = made
    opened = open_data(str(root))
    (sample,) = opened
    assert opened.report.findings == [] and sample.regime == "agentic"


def test_what_a_picture_alone_tells_is_in_no_text_of_its_session(made, log):
    root, _ = made
    raw = json.loads((root / "agent/gui/web/web_01.json").read_text("utf-8"))
    texts = {
        each["_v2_session_id"]: plain(" ".join(turn["content"] for turn in each["dialogue"]))
        for each in raw["sessions"]
    }
    facts = [
        (row["session"], row["event"]["fact"]) for row in log if row["row"] == "event" and row["event"].get("fact")
    ]
    labels = [(name, fact["value"]) for name, fact in facts if fact["key"][1] == "label"]
    assert labels and not any(says(texts[name], value) for name, value in labels)


def first(desk, app, **wanted):
    """The first item of an application that is as wanted, and that the page shows by then."""
    found = desk.look()["apps"][app]
    item = next(each for each in found["items"] if all(each[name] == value for name, value in wanted.items()))
    desk.make(["click", f"[data-app={app}]"])
    desk.make(["click", f'[data-group="{item["group"]}"]'])
    desk.make(["click", f"[data-item={item['name']}]"])
    return item


@pytest.mark.parametrize("app", sorted(APPS))
def test_a_protected_item_changes_only_after_the_right_button(desk, app):
    desk.make(["behind", app, desk.look()["apps"][app]["items"][0]["name"], {"locked": True}])
    item = first(desk, app, locked=True)
    state = desk.look()
    right = state["apps"][app]["remedies"][item["group"]]
    wrong = next(each for each in state["remedies"] if each != right)

    def now():
        return next(each for each in desk.look()["apps"][app]["items"] if each["name"] == item["name"])

    change = [["fill", "#value", "123"], ["click", "#set"]]
    for remedy, value in ((wrong, item["value"]), (right, "123")):
        desk.make(["click", f'[data-remedy="{remedy}"]'])
        for move in change:
            desk.make(move)
        assert now()["value"] == value
    desk.make(["choose", "#target", state["apps"][app]["groups"][-1]])
    desk.make(["click", "#move"])
    assert now()["group"] == state["apps"][app]["groups"][-1]


def test_each_group_of_an_application_has_a_button_of_its_own_that_helps():
    made = world(tuple(APPS), 10, random.Random(5), small=False)
    for name, app in made["apps"].items():
        assert list(app["remedies"]) == list(APPS[name].groups) and set(app["remedies"].values()) <= set(REMEDIES)
    assert any(len(set(app["remedies"].values())) > 1 for app in made["apps"].values())


@pytest.mark.parametrize("app", sorted(APPS))
def test_the_label_of_an_item_is_in_the_screenshot(desk, app):
    desk.make(["behind", app, desk.look()["apps"][app]["items"][0]["name"], {"label": "crimson", "value": "100%"}])
    first(desk, app)
    view = Image.open(io.BytesIO(desk.picture())).convert("RGB")
    colours = {colour for _, colour in view.getcolors(view.width * view.height)}
    assert ImageColor.getrgb("#dc143c") in colours


def test_the_same_order_plays_the_same():
    first_time, second_time = (Clerk(ORDER.recipe, Streams(2, ("x",))).trajectory(2) for _ in range(2))
    assert first_time == second_time


@pytest.mark.parametrize(
    ("move", "written"),
    [
        (["click", "[data-item=Onyx]"], "click(Onyx)"),
        (["click", "#set"], "click(set)"),
        (["click", '[data-remedy="Check out"]'], "click(Check out)"),
        (["fill", "#value", "17"], "fill(value, 17)"),
    ],
)
def test_a_move_is_written_as_an_action(move, written):
    assert action(move) == written


CROWDED = {"small": (7, 10), "wide": (7, 12)}
"""Entries of a group that have to be seen at once, so that they can be counted on a screenshot."""


@pytest.mark.parametrize("app", sorted(APPS))
@pytest.mark.parametrize(("size", "many"), [(size, many) for size, each in CROWDED.items() for many in each])
def test_nothing_on_the_page_is_cut_off(size, many, app):
    order = (app, *(each for each in ("mail", "calendar", "files", "sheet") if each != app))
    laid = world(order, many, Streams(1, ("desk",)).rng("world"), small=size == "small")
    group = max(laid["apps"][app]["groups"], key=len)
    for item in laid["apps"][app]["items"]:
        item.update(group=group, locked=True, value="100%" if app == "image" else item["value"])
    laid["apps"][app]["open"] = group
    crowded = Desk(laid)
    try:
        crowded.make(["click", f"[data-item={laid['apps'][app]['items'][-1]['name']}]"])
        inside = crowded._page.evaluate(
            """() => [...document.querySelectorAll('#apps button, #groups button, #bar > *, #message, .item')]
            .filter(each => { const box = each.getBoundingClientRect();
              return box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth; })
            .map(each => each.outerHTML)"""
        )
        assert inside == []
        list_fits = (
            "() => { const list = document.getElementById('items'); return list.scrollHeight <= list.clientHeight; }"
        )
        assert crowded._page.evaluate(list_fits)
    finally:
        crowded.close()


def test_a_screenshot_stays_where_the_page_was_scrolled_to():
    small = Desk(world(("mail", "files"), 14, Streams(1, ("desk",)).rng("world"), small=True))
    small._page.evaluate("() => { document.body.style.paddingBottom = '2000px'; scrollTo(0, 700); }")
    small.picture()
    assert small._page.evaluate("() => scrollY") == 700
    small.close()
