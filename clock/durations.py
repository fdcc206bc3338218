"""Times as people write and say them: ``1h30m``, "1 hour 30 minutes". Exact, in integer nanoseconds."""

from __future__ import annotations

from clock.control import HOUR_NS, MINUTE_NS, SECOND_NS

_UNITS = (("h", "hour", HOUR_NS), ("m", "minute", MINUTE_NS))


def in_short(time_ns: int) -> str:
    """``1h30m``, ``45s``, ``2.5s``: the one way the notation writes a time that is not negative."""
    parts = [f"{count}{short}" for count, short, _ in _counted(time_ns) if count]
    return "".join(parts) or "0s"


def in_words(time_ns: int) -> str:
    """``1 hour 30 minutes``."""
    parts = [f"{count} {name}{'' if count == '1' else 's'}" for count, _, name in _counted(time_ns) if count]
    return " ".join(parts) or "0 seconds"


def _counted(time_ns: int) -> list[tuple[str, str, str]]:
    """How many of each unit; an empty count for none."""
    counted = []
    for short, name, unit_ns in _UNITS:
        count, time_ns = divmod(time_ns, unit_ns)
        counted.append((str(count) if count else "", short, name))
    whole, rest = divmod(time_ns, SECOND_NS)
    seconds = f"{whole}.{rest:09d}".rstrip("0") if rest else str(whole or "")
    return [*counted, (seconds, "s", "second")]
