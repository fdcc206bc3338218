"""Does a lattice of lines in a picture have just the size a board should have, and where does it end?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from calibration.lattice import STONE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from calibration.lattice import Edges


@dataclass(frozen=True, kw_only=True)
class Side:
    """Mean evidence, 0 to 1, near one side of the grid: its outer ``line``, the crossing lines just ``inside`` and just ``outside`` it,
    and a line one step ``beyond``."""

    line: float
    inside: float
    outside: float
    beyond: float


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """``row``, ``file``: first lines of the best window; ``score`` ranks guesses; ``fill``: share of edges with a line;
    ``noise``: evidence where no line should be; ``sides``: top, bottom, left, right."""

    row: int
    file: int
    score: float
    seen: float
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
    core = slice(pad, n - pad), slice(pad, n - pad - 1)
    on, free = edges.contrast[:, *core], edges.free[:, *core]
    off, bare = edges.between[:, core[1], core[1]], edges.open[:, core[1], core[1]]
    if np.count_nonzero(free) < 0.1 * free.size:
        return None
    low = float(np.median(off[bare] if np.count_nonzero(bare) > 0.1 * bare.size else off))
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
    n = line.shape[1]
    aligned = line * np.exp(-((edges.shift / 0.09) ** 2))
    scores = _windows(aligned - 0.25 * edges.free, size)
    r, c = (int(i) for i in np.unravel_index(int(np.argmax(scores)), scores.shape))
    free, bare = edges.free, edges.open
    rows, files = (slice(r, r + size), slice(c, c + size - 1)), (slice(c, c + size), slice(r, r + size - 1))
    t = np.concatenate([aligned[0][rows].ravel(), aligned[1][files].ravel()])
    f = np.concatenate([free[0][rows].ravel(), free[1][files].ravel()])
    shift = np.concatenate([edges.shift[0][rows].ravel(), edges.shift[1][files].ravel()])
    clear = np.concatenate([line[0][rows].ravel(), line[1][files].ravel()]) > 0.5
    core = bare[:, pad : n - pad - 1, pad : n - pad - 1]
    calm = quiet[:, pad : n - pad - 1, pad : n - pad - 1]
    per_line = [_share(aligned[0][rows], free[0][rows]), _share(aligned[1][files], free[1][files])]
    return Verdict(
        row=r,
        file=c,
        score=float(scores[r, c]),
        seen=float(f.mean()),
        fill=float(t.sum() / max(1, np.count_nonzero(f))),
        noise=float(calm[core].mean() if np.count_nonzero(core) > 0.1 * core.size else calm.mean()),
        even=float(min(np.percentile(p, 25) for p in per_line)),
        sharp=float(np.mean(np.abs(shift[clear]) < 0.05)) if clear.any() else 0.0,
        stray=_stray(edges.lone > STONE, size, r, c),
        sides=tuple(_sides(aligned, free, size, r, c)),
    )


def _share(t: NDArray[np.float32], free: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Mean evidence along each row over what is free; 1 where too little is."""
    count = free.sum(axis=1)
    return np.where(count >= 2, t.sum(axis=1) / np.maximum(count, 1), 1.0)


def _stray(stone: NDArray[np.bool_], size: int, r: int, c: int) -> float:
    """Largest share of intersections one step beyond a side that seem to bear stones."""
    n = len(stone)
    shares = [0.0]
    for grid, x, y in ((stone, r, c), (stone.T, c, r)):
        shares += [float(grid[at, y : y + size].mean()) for at in (x - 1, x + size) if 0 <= at < n]
    return max(shares)


def doubt(verdict: Verdict) -> str | None:
    """Why the window should not be taken for a whole board, in one line; None when it may."""
    if max(s.outside - 0.5 * s.inside for s in verdict.sides) > 0.03:
        return "the lines run on beyond the size asked for"
    if verdict.fill - verdict.noise < 0.12 or verdict.sharp < 0.6:
        return "too few clear lines"
    if verdict.stray > 0.2:
        return "stones stand beyond the size asked for"
    if min(max(s.line, s.inside) for s in verdict.sides) < 0.15:
        return "an outer line is not to be seen"
    if verdict.even < 0.05:
        return "lines are missing in the grid"
    if _certainty(verdict) < 0.2:
        return "the outer lines are not clear"
    return None


def confidence(verdict: Verdict) -> float:
    """0 to 1: how clear the lines and the outer lines are."""
    return float(np.clip(min((verdict.fill - verdict.noise) / 0.4, _certainty(verdict) / 0.5, verdict.sharp), 0, 1))


def _certainty(verdict: Verdict) -> float:
    """How sure it is where the grid ends: of each direction the clearer side, of both directions the less clear."""
    clear = [min(s.line, s.inside, 1 - 2 * s.outside / max(s.inside, 0.01)) for s in verdict.sides]
    return min(max(clear[:2]), max(clear[2:]))


def convincing(verdict: Verdict) -> bool:
    """Whether no better guess need be sought."""
    return verdict.fill > 0.4 and doubt(verdict) is None


def _windows(t: NDArray[np.float32], size: int) -> NDArray[np.float64]:
    """For each first row and file of a window: the lines within it, less what of them runs on outside it."""
    n = t.shape[1]
    first = np.arange(n - size + 1)
    total = np.zeros((len(first), len(first)))
    for along, across, turn in ((t[0], t[1], False), (t[1], t[0], True)):
        # line[x, y]: line x summed over the edges from y on; stub[x, y]: edges from line x to x + 1 summed over the crossing lines.
        line = _sums(along.T, size - 1).T
        stub = _sums(across, size).T
        part = _sums(line, size)[:, first]
        # The stubs inside the outer lines tell a line of the grid from the edge of the board.
        part = part + stub[first] + stub[first + size - 2]
        part[1:] -= 2 * stub[first[1:] - 1]
        part[:-1] -= 2 * stub[first[:-1] + size - 1]
        total += part.T if turn else part
    return total


def _sums(values: NDArray[np.float32], count: int) -> NDArray[np.float64]:
    """Sums of ``count`` consecutive rows, by first row."""
    total = np.cumsum(np.pad(values.astype(np.float64), ((1, 0), (0, 0))), axis=0)
    return np.asarray(total[count:] - total[:-count])


def _sides(t: NDArray[np.float32], free: NDArray[np.bool_], size: int, r: int, c: int) -> list[Side]:
    n = t.shape[1]

    def mean(axis: int, line: int, first: int, count: int) -> float:
        part = free[axis, line, first : first + count]
        return float(t[axis, line, first : first + count].sum() / max(3, np.count_nonzero(part)))

    sides = []
    for axis, x, y in ((0, r, c), (1, c, r)):
        for at, inside, outside, beyond in ((x, x, x - 1, x - 1), (x + size - 1, x + size - 2, x + size - 1, x + size)):
            stubs, bare = t[1 - axis, y : y + size], free[1 - axis, y : y + size]

            def share(strip: int, stubs: NDArray[np.float32] = stubs, bare: NDArray[np.bool_] = bare) -> float:
                return float(stubs[:, strip].sum() / max(3, np.count_nonzero(bare[:, strip])))

            sides.append(
                Side(
                    line=mean(axis, at, y, size - 1),
                    inside=share(inside),
                    outside=share(outside) if 0 <= outside < n - 1 else 1.0,
                    beyond=mean(axis, beyond, y, size - 1) if 0 <= beyond < n else 1.0,
                )
            )
    return sides
