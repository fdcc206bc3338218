"""What goes wrong with sound."""

from __future__ import annotations


class VoiceFault(Exception):  # noqa: N818
    """Something cannot be heard; the message is one line: what, why, what to do."""
