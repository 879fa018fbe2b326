"""Makes the worlds set up by hand importable: `vending_hands`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
