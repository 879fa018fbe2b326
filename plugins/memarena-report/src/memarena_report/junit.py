"""Checks and cells as JUnit XML, which continuous integration reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from memarena import codec

if TYPE_CHECKING:
    from memarena.cells import CellInfo
    from memarena_report.checks import Outcome

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML 1.0 document may hold."""


def write(path: Path, name: str, outcomes: Sequence[Outcome], cells: Sequence[tuple[str, CellInfo]]) -> None:
    """Write one test case a check and one a cell: a check that holds is a failure, a cell that failed an error.

    Raises StoreError where `path` cannot be written.
    """
    checks = [_check(name, one) for one in outcomes]
    ran = [_cell(name, prefix, cell) for prefix, cell in cells]
    root = Element("testsuites")
    for suite, cases in ((f"{name} checks", checks), (f"{name} cells", ran)):
        made = SubElement(root, "testsuite", name=_text(suite), tests=str(len(cases)))
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            made.set(attribute, str(sum(case.find(tag) is not None for case in cases)))
        made.extend(cases)
    indent(root)
    codec.write_whole(path, tostring(root, encoding="utf-8", xml_declaration=True) + b"\n")


def _check(name: str, one: Outcome) -> Element:
    case = Element("testcase", classname=_text(f"{name}.checks"), name=_text(one.check), time="0")
    if not one.passed:
        SubElement(case, "error" if one.holds is None else "failure", message=_text(str(one)))
    return case


def _cell(name: str, prefix: str, cell: CellInfo) -> Element:
    spent = f"{sum(cell.seconds.values()):.3f}"
    case = Element("testcase", classname=_text(f"{name}.cells"), name=_text(f"{prefix}{cell.cell_id}"), time=spent)
    if cell.status == "failed":
        SubElement(case, "error", message=_text(cell.error))
    elif cell.status != "done":
        SubElement(case, "skipped", message=cell.status)
    return case


def _text(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
