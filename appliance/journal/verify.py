"""Whether a journal is what was written, and if not, the first place where it is not.

What a chain of digests shows: an entry that was changed, taken out, put in or moved, and a picture that is not the
one noted; for each entry holds the digest of the one before. What it does not show by itself: entries cut off at the
end, and a file written anew as a whole, with a new chain; anybody who may write the file can do that. The head, the
digest of the last entry, shows even those, where it was taken down somewhere else before: on the signed record sheet,
say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from appliance.journal.entries import ORIGIN, Break, entry, wrong_with
from appliance.journal.journal import FRAMES, Journal, JournalError
from appliance.journal.keeping import noted

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from appliance.journal.entries import Row
    from appliance.journal.keeping import Evidence

HEAD_DIGITS = 16
"""As many digits of a head must be given; fewer could be met on purpose."""

_HEX = re.compile(rf"[0-9a-f]{{{HEAD_DIGITS},64}}")


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What was found.

    ``entries`` and ``head``: how many are good, from the first one on, and the last one's digest as hexadecimal digits.
    ``pictures`` were compared; ``dropped`` went for want of room, as noted; ``unnoted`` lie there and no entry knows
    them. ``broken``: the first entry that does not hold or, when all do, the first whose picture does not; None: all
    is good.
    """

    entries: int
    head: str
    pictures: int
    dropped: int
    unnoted: int
    broken: Break | None


def first_break(rows: Iterable[Row]) -> Break | None:
    """The first place where the chain does not hold; None: it is whole."""
    return _followed(rows)[1]


def verify(folder: Path) -> Verdict:
    """Check the game in ``folder``, its entries and its pictures. Raises JournalError where it cannot be opened."""
    with Journal.open(folder, read_only=True) as journal:
        good, broken = _read(journal)
        wrong, evidence, compared = _pictures(folder, good)
        if wrong is not None and broken is None:
            # A picture may have gone for want of room, as noted, since the entries were read.
            good, broken = _read(journal)
            wrong, evidence, compared = _pictures(folder, good)
    frames = folder / FRAMES
    there = {path.name for path in frames.iterdir()} if frames.is_dir() else set()
    return Verdict(
        entries=len(good),
        head=good[-1].digest.hex() if good else "",
        pictures=compared,
        dropped=len(evidence.dropped),
        unnoted=len(there - set(evidence.kept) - evidence.dropped),
        broken=broken or wrong,  # what comes after a break may say that a picture went
    )


def place_of(head: str, folder: Path) -> int | None:
    """The number of the entry with the digest ``head``, given in hexadecimal digits, the first 16 or more of them.

    None: no good entry has it. Raises ValueError, in one line, where it is no such digest.
    """
    digits = head.strip().lower()
    if not _HEX.fullmatch(digits):
        raise ValueError(f"{head!r} is no head: write its hexadecimal digits, the first {HEAD_DIGITS} or all 64")
    with Journal.open(folder, read_only=True) as journal:
        return next((row.seq for row in _read(journal)[0] if row.digest.hex().startswith(digits)), None)


def _read(journal: Journal) -> tuple[list[Row], Break | None]:
    """The entries that are good, and what comes after them."""
    rows: list[Row] = []
    try:
        for row in journal.rows():
            rows.append(row)
    except JournalError as error:
        good, broken = _followed(rows)
        return good, broken or Break(
            seq=len(rows) + 1, why=f"what comes after entry {len(rows)} cannot be read: {error}"
        )
    return _followed(rows)


def _followed(rows: Iterable[Row]) -> tuple[list[Row], Break | None]:
    good: list[Row] = []
    previous = ORIGIN
    for row in rows:
        broken = wrong_with(row, seq=len(good), previous=previous)
        if broken is not None:
            return good, broken
        good.append(row)
        previous = row.digest
    return good, None if good else Break(seq=1, why="there is no entry at all")


def _pictures(folder: Path, rows: Iterable[Row]) -> tuple[Break | None, Evidence, int]:
    """The first note whose picture is not there as noted, what was noted, and how many pictures were compared."""
    evidence = noted(map(entry, rows))
    if evidence.strange:
        seq = evidence.strange[0]
        return Break(seq=seq, why=f"entry {seq} should note a picture and cannot be understood"), evidence, 0
    for compared, (seq, picture) in enumerate(evidence.kept.values()):
        path = folder / FRAMES / picture.file
        try:
            found = sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            why = f"{FRAMES}/{picture.file}, which entry {seq} notes, cannot be read ({error.strerror})"
            return Break(seq=seq, why=why), evidence, compared
        if found != picture.sha256:
            why = f"{FRAMES}/{picture.file} is not the picture that entry {seq} notes"
            return Break(seq=seq, why=why), evidence, compared
    return None, evidence, len(evidence.kept)
