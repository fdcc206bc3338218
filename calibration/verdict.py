"""Does a lattice of lines in a picture have just the size a board should have, and where does it end?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from calibration.lattice import STONE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from calibration.lattice import Edges


@dataclass(frozen=True, kw_only=True)
class Side:
    """Mean evidence, 0 to 1, at one side of the grid.

    ``line``: on its outer line; ``inside``: on the crossing lines up to the next line; ``outside``: where those would
    run on, within three steps.
    """

    line: float
    inside: float
    outside: float


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The best place for a grid in a lattice, and how far it may be believed.

    ``row``, ``file``: its first lines in the lattice. ``score`` ranks guesses. The others are shares from 0 to 1, of
    edges that no stone touches where there are such: ``fill`` with a line, ``noise`` with as much half a cell beside
    it; ``even`` the fill of the poorer lines, ``sharp`` how many of the clear lines lie just in place, ``stray`` how
    many intersections beyond one side seem to bear stones. ``sides``: first and last row, first and last file.
    """

    row: int
    file: int
    score: float
    fill: float
    noise: float
    even: float
    sharp: float
    stray: float
    sides: tuple[Side, ...]


def evidence(edges: Edges, pad: int) -> tuple[NDArray[np.float32], NDArray[np.float32]] | None:
    """Evidence 0 to 1 for a line on each edge and beside it, shaped like ``edges.contrast`` and ``edges.between``.

    The scale is taken from within ``pad`` lines of the border; None when no lines stand out from what is between them.
    """
    n = edges.contrast.shape[1]
    nodes, spans = slice(pad, n - pad), slice(pad, n - pad - 1)
    on, free = edges.contrast[:, nodes, spans], edges.free[:, nodes, spans]
    off, bare = edges.between[:, spans, spans], edges.open[:, spans, spans]
    if free.mean() < 0.1:
        return None
    low = float(np.median(off[bare] if bare.mean() > 0.1 else off))
    high = float(np.percentile(on[free], 75))
    if high < low + 0.006:
        return None
    line = np.clip((edges.contrast - low) / (high - low), 0, 1) * edges.free
    return line.astype(np.float32), np.clip((edges.between - low) / (high - low), 0, 1)


def judge(edges: Edges, size: int, pad: int) -> Verdict | None:
    """The best window of ``size`` lines each way in a lattice with ``pad`` more lines on every side."""
    found = evidence(edges, pad)
    if found is None:
        return None
    line, quiet = found
    free, bare = edges.free, edges.open
    aligned = line * np.exp(-((edges.shift / 0.09) ** 2))
    scores = _windows(aligned - 0.25 * free, size)
    r, c = (int(i) for i in np.unravel_index(int(np.argmax(scores)), scores.shape))

    def window(values: NDArray[Any]) -> list[NDArray[Any]]:
        return [values[0, r : r + size, c : c + size - 1], values[1, c : c + size, r : r + size - 1]]

    def flat(values: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate([v.ravel() for v in window(values)])

    clear = flat(line) > 0.5
    spans = slice(pad, line.shape[1] - pad - 1)
    calm, calm_bare = quiet[:, spans, spans], bare[:, spans, spans]
    per_line = [_share(t, f) for t, f in zip(window(aligned), window(free), strict=True)]
    return Verdict(
        row=r,
        file=c,
        score=float(scores[r, c]),
        fill=float(flat(aligned).sum() / max(1, np.count_nonzero(flat(free)))),
        noise=float(calm[calm_bare].mean() if calm_bare.mean() > 0.1 else calm.mean()),
        even=float(min(np.percentile(p, 25) for p in per_line)),
        sharp=float(np.mean(np.abs(flat(edges.shift)[clear]) < 0.05)) if clear.any() else 0.0,
        stray=_stray(edges, size, r, c),
        sides=tuple(_sides(aligned, free, size, r, c)),
    )


def doubt(verdict: Verdict) -> str | None:
    """Why the grid should not be believed, in one line; None when it may."""
    if max(s.outside - 0.5 * s.inside for s in verdict.sides) > 0.03:
        return "the lines run on beyond the size asked for"
    if verdict.stray > 0.2:
        return "stones stand beyond the size asked for"
    if verdict.fill - verdict.noise < 0.12 or verdict.sharp < 0.6:
        return "too few clear lines"
    if verdict.even < 0.05:
        return "lines are missing in the grid"
    if min(max(s.line, s.inside) for s in verdict.sides) < 0.15:
        return "an outer line is not to be seen"
    if _end(verdict) < 0.2:
        return "the outer lines are not clear"
    return None


def confidence(verdict: Verdict) -> float:
    """0 to 1: how clear the lines are, and where they end."""
    return float(np.clip(min((verdict.fill - verdict.noise) / 0.4, _end(verdict) / 0.5, verdict.sharp), 0, 1))


def convincing(verdict: Verdict) -> bool:
    """Whether no better guess need be sought."""
    return verdict.fill > 0.4 and doubt(verdict) is None


def _end(verdict: Verdict) -> float:
    """How sure it is where the grid ends: of each direction the clearer side, of both directions the less clear."""
    clear = [min(s.line, s.inside, 1 - 2 * s.outside / max(s.inside, 0.01)) for s in verdict.sides]
    return min(max(clear[:2]), max(clear[2:]))


def _windows(t: NDArray[np.float32], size: int) -> NDArray[np.float64]:
    """For each first row and file of a window: the lines within it, less what of them runs on outside it."""
    n = t.shape[1]
    first = np.arange(n - size + 1)
    total = np.zeros((len(first), len(first)))
    for along, across, turn in ((t[0], t[1], False), (t[1], t[0], True)):
        # line[x, y]: edges of line x from y on. stub[x, y]: edges of the crossing lines from y on, between x and x + 1.
        line = _sums(along.T, size - 1).T
        stub = _sums(across, size).T
        part = _sums(line, size)[:, first]
        # The stubs inside the outer lines tell a line of the grid from the edge of the board.
        part = part + stub[first] + stub[first + size - 2]
        part[1:] -= 2 * stub[first[1:] - 1]
        part[:-1] -= 2 * stub[first[:-1] + size - 1]
        total += part.T if turn else part
    return total


def _sums(values: NDArray[Any], count: int) -> NDArray[np.float64]:
    """Sums of ``count`` consecutive rows, by first row."""
    total = np.cumsum(np.pad(values.astype(np.float64), ((1, 0), (0, 0))), axis=0)
    return np.asarray(total[count:] - total[:-count])


def _share(t: NDArray[np.float32], free: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Mean evidence along each line over what is free of it; 1 where that is too little to tell."""
    count = free.sum(axis=1)
    return np.where(count >= 2, t.sum(axis=1) / np.maximum(count, 1), 1.0)


def _stray(edges: Edges, size: int, r: int, c: int) -> float:
    """Largest share of intersections beyond a side that seem to bear stones.

    Stones in a close row are not ``lone``, nor is the edge of the board; but that is not two steps beyond as well.
    """
    stone, lone = edges.stone > STONE, edges.lone > STONE
    shares = [0.0]
    for x, y, some, alone in ((r, c, stone, lone), (c, r, stone.T, lone.T)):
        across = slice(y, y + size)
        for one, two in ((x - 1, x - 2), (x + size, x + size + 1)):
            if min(one, two) >= 0 and max(one, two) < len(stone):
                shares += [alone[one, across].mean(), min(some[one, across].mean(), some[two, across].mean())]
    return float(max(shares))


def _sides(t: NDArray[np.float32], free: NDArray[np.bool_], size: int, r: int, c: int) -> list[Side]:
    def mean(part: tuple[int, int | slice, int | slice]) -> float:
        # Of one or two free edges no mean is to be trusted.
        return float(t[part].sum() / max(3, np.count_nonzero(free[part])))

    sides = []
    for axis, x, y in ((0, r, c), (1, c, r)):
        for line, inside, step in ((x, x, -1), (x + size - 1, x + size - 2, 1)):
            stubs = slice(y, y + size)
            beyond = [at for at in (inside + k * step for k in (1, 2, 3)) if 0 <= at < t.shape[2]]
            sides.append(
                Side(
                    line=mean((axis, line, slice(y, y + size - 1))),
                    inside=mean((1 - axis, stubs, inside)),
                    outside=max((mean((1 - axis, stubs, at)) for at in beyond), default=1.0),
                )
            )
    return sides
