"""Why a file holds no picture that can be used."""

from __future__ import annotations


class PictureError(Exception):
    """The file holds no usable picture; the message says why, to follow the file's name.

    ``advice``: what the user may do, to follow the message after a semicolon.
    """

    def __init__(self, what: str, advice: str = "take or copy it again") -> None:
        super().__init__(what)
        self.advice = advice
