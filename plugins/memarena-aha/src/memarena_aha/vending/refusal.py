"""How a tool says no."""

from __future__ import annotations

__all__ = ["Refused"]


class Refused(Exception):
    """The action was understood and cannot be done; `code` is for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
