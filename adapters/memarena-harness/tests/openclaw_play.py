"""How these tests start OpenClaw. They take minutes, so they run where they are asked for: MEMARENA_HARNESS=1."""

from __future__ import annotations

import functools
import os
from typing import Any

import pytest
from harness_play import jail_problem

from memarena_harness.failures import HarnessFailure
from memarena_harness.openclaw import OpenClaw, OpenClawOptions
from memarena_harness.programs import OpenClaw as OpenClawProgram


@functools.cache
def openclaw_problem() -> str:
    """Why OpenClaw is not run here; "" where it is."""
    if os.environ.get("MEMARENA_HARNESS") != "1":
        return "it takes minutes: nox -s harness, or MEMARENA_HARNESS=1"
    try:
        OpenClawProgram().find()
    except HarnessFailure as failure:
        return failure.problem
    return jail_problem()


needs_openclaw = pytest.mark.skipif(bool(openclaw_problem()), reason=openclaw_problem())


def openclaw(**options: Any) -> OpenClaw:
    """OpenClaw, by one process a call, which starts sooner than a gateway."""
    return OpenClaw(OpenClawOptions(**{"start": "exec", "seconds": 60.0, **options}))
