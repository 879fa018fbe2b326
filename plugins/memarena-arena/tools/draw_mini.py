"""Draw the pictures of the built-in data set `mini`.

Run `python tools/draw_mini.py` in this distribution's folder: every picture under
`src/memarena_arena/mini_data` is drawn anew, the same each time with the same Pillow.
`python tools/draw_mini.py FOLDER` draws into another folder.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mini_pictures import blocks, papers, plans, scenes, screens
from mini_pictures.canvas import Canvas

DATA = Path(__file__).resolve().parents[1] / "src" / "memarena_arena" / "mini_data"

TEAL, ORANGE, BLUE, GREEN = "#3c9c9c", "#e58a33", "#4f81bd", "#5ba665"


def software() -> dict[str, Canvas]:
    """Pictures of `software_01`."""
    board = (
        ("To do", (("Fare table", "blue"), ("Loyalty card", "yellow"), ("Screen reader", "yellow"))),
        ("Doing", (("Card payment", "pink"), ("Void ticket", "pink"), ("Seat map", "blue"))),
        ("Done", (("Login", "blue"), ("Print slip", "pink"))),
    )
    march = (
        ("lint", "passed", "0:38"),
        ("unit-tests (412)", "passed", "3:51"),
        ("contract-tests", "passed", "2:20"),
        ("kiosk-e2e", "failed", "6:44"),
        ("package", "passed", "0:59"),
    )
    april = (
        ("lint", "passed", "0:36"),
        ("unit-tests (438)", "passed", "3:58"),
        ("contract-tests", "failed", "1:12"),
        ("kiosk-e2e", "passed", "5:19"),
        ("package", "skipped", "-"),
    )
    latency = (("50", 120, TEAL), ("100", 140, TEAL), ("200", 210, TEAL), ("400", 640, ORANGE))
    thread = (
        ("Wen", "14:20", "Rollback done, codes print again.", "#4b7bb5"),
        ("Jelena", "14:31", "Cause: empty string from the seat service.", "#b5654b"),
        ("Priscila", "14:44", "Can we call the release Gannet?\nThey dive and come back up.", "#5a9a6a"),
    )
    return {
        "S01_img_1": papers.whiteboard(board, "Loyalty card"),
        "S02_img_1": screens.dashboard("287", "Mar 19", march, "14 min 32 s"),
        "S03_img_1": screens.bars(
            "p95 latency by simultaneous users", latency, "ms", 700, 100, axis="simultaneous users"
        ),
        "S04_img_1": screens.dashboard("341", "Apr 9", april, "11 min 05 s"),
        "S05_img_1": plans.terminal("C"),
        "S06_img_2": screens.chat("#tidewater", thread, 2),
    }


def personal() -> dict[str, Canvas]:
    """Pictures of `personal_01`."""
    bought = (("Chain", "89.00"), ("Brake pads", "54.00"), ("Bell", "32.00"))
    ferry = (
        ("Date", "July 18, 2026"),
        ("From / to", "Gdynia - Ronne"),
        ("Departure", "07:30"),
        ("Seats", "14C, 14D"),
        ("Extras", "2 bicycles"),
    )
    shifts = "gooooggpppppgpggooooogopppgg"
    return {
        "S01_img_1": papers.calendar("February 2026", 6, shifts, 21, 19).photographed(-2.5),
        "S03_img_1": papers.receipt(
            "Rower i Rama", ("bicycle workshop", "Feb 28, 2026   11:42"), bought, "175.00", "paid by card"
        ).photographed(3, "#6f7f8f"),
        "S04_img_1": plans.campsite(27),
        "S05_img_1": scenes.living_room(True),
        "S06_img_1": screens.booking(ferry, "KN-5082"),
        "S06_img_2": scenes.living_room(False),
        "S07_img_1": papers.postcard("Svaneke"),
    }


def health() -> dict[str, Canvas]:
    """Pictures of `health_01`."""
    came = {"Adair": "11", "Brandt": "11", "Castellano": "10", "Quill": "00", "Osei": "11", "Yilmaz": "01"}
    means = (("week 0", 13.9, BLUE), ("week 3", 13.1, BLUE), ("week 6", 12.1, GREEN))
    boxes = ("Hearing", "Eyesight", "Blood pressure", "Feet")
    return {
        "S01_img_1": plans.hall(14, False),
        "S02_img_1": papers.attendance("Steady Steps, week 1", ("Tue 23", "Fri 26"), came, "Lotte").photographed(
            2, "#8fa08a"
        ),
        "S03_img_1": papers.label(
            "Sunnydrop Vitamin D3",
            "400 IU per drop",
            ("10 ml", "keep away from light", "best before 08/2026", "lot 7719"),
        ),
        "S04_img_1": screens.bars("Mean walking test, seconds", means, "s", 16, 4, "{:.1f}"),
        "S05_img_1": plans.hall(16, True),
        "S06_img_1": papers.form("Greybridge - referral", "Dec 12, 2025", boxes, "Eyesight", "N. Haddad").photographed(
            -2
        ),
    }


def excel() -> dict[str, Canvas]:
    """Pictures of `excel_001`."""
    formula = "=ROUND(D2*Settings!$B$2,2)"
    branches = (("Leiden", 883.30, BLUE), ("Utrecht", 1851.30, ORANGE), ("Delft", 1306.80, GREEN))
    return {
        "S02_img_1": screens.spreadsheet({}, "Order"),
        "S04_img_1": screens.with_dialog(
            screens.spreadsheet({"E2": "=ROUND(D2*"}, formula, "E2"),
            "Problem with this formula",
            ("Error 508:", "check the separator."),
        ),
        "S06_img_1": screens.spreadsheet({"E2": "84.00"}, "", "E3"),
        "S08_img_1": screens.spreadsheet({}, "=D2+E2", "F2", 500, 0.21),
        "S10_img_1": screens.with_wizard(screens.spreadsheet({}, "=D2+E2", "F2", 600, 0.21)),
        "S12_img_1": screens.bars("Gross by branch", branches, "EUR", 2000, 500, "{:,.2f}"),
    }


def alfred() -> dict[str, Canvas]:
    """Pictures of `eb_alfred_long_horizon_01`."""
    return {
        "S02_img_1": scenes.kitchen(),
        "S06_img_1": scenes.sink(),
        "S08_img_1": scenes.dining(potato_there=False, fallen=False, minutes=10),
        "S10_img_1": scenes.microwave(),
        "S12_img_1": scenes.dining(potato_there=True, fallen=True, minutes=15),
    }


def minecraft() -> dict[str, Canvas]:
    """Pictures of `minecraft_001`."""
    before = (("birch log", 4), ("apple", 5), ("torch", 2), ("bread", 1), ("wooden sword", 1))
    after = (
        ("stone pickaxe", 1),
        ("furnace", 1),
        ("cobblestone", 2),
        ("apple", 2),
        ("torch", 4),
        ("bread", 1),
        ("planks", 3),
        ("wooden pickaxe", 1),
        ("wooden sword", 1),
    )
    return {
        "S02_img_1": blocks.meadow(False),
        "S02_img_2": blocks.inventory(before, 2),
        "S06_img_1": blocks.meadow(True),
        "S08_img_1": blocks.cave(),
        "S10_img_1": blocks.inventory(after, 0),
    }


SAMPLES = {
    "lifelong/project/software/images/software_01": software,
    "lifelong/personal/images/personal_01": personal,
    "lifelong/project/health/images/health_01": health,
    "agent/gui/excel/images/excel_001": excel,
    "agent/embodied/eb_alfred_long_horizon/images/eb_alfred_long_horizon_01": alfred,
    "agent/embodied/minecraft/images/minecraft_001": minecraft,
}


def draw(folder: Path) -> int:
    """Draw every picture below `folder`; the number of files."""
    count = 0
    for place, pictures in SAMPLES.items():
        for image_id, picture in pictures().items():
            picture.save(folder / place / f"{image_id}.png")
            count += 1
    return count


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    sys.stdout.write(f"{draw(target)} pictures in {target}\n")
