"""The network that reads stills: from a canvas to what stands on each point.

It was taught by ``fixtures/stills/train.py`` on rendered boards alone.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.observation import Content
from vision.rectify import CELL

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHANNELS = 4

CLASSES = (Content.EMPTY, Content.BLACK, Content.WHITE, Content.UNSEEN)
"""What the network tells apart, in the order of its outputs."""

ATTITUDES = 8
"""Ways to turn and mirror a canvas."""

_LEAST = np.float32(1e-6)

_FLOOR = np.float32(4.0)
"""Grey levels added before taking logs, so that sensor noise in black does not count."""

_LOG = np.log(np.arange(256, dtype=np.float32) + _FLOOR)


def read_canvas(canvas: NDArray[np.uint8], attitude: int = 0) -> NDArray[np.float32]:
    """(rows - 2, columns - 2, 4): chances of the ``CLASSES`` on the tiles of ``canvas``, its outermost ring left out.

    ``canvas``: uint8 BGR, of any number of tiles. ``attitude``: how it is turned and mirrored for the network, of
    ATTITUDES; each reads a little otherwise.
    """
    quarters, mirror = attitude % 4, 1 if attitude < 4 else -1
    network = _network()
    network.setInput(network_input(np.ascontiguousarray(np.rot90(canvas, quarters)[:, ::mirror]))[None])
    logits = np.moveaxis(network.forward()[0, :, 1:-1, 1:-1], 0, -1)
    return likely(np.rot90(logits[:, ::mirror], -quarters))


@cache
def prepare(lines: int) -> None:
    """Load the network and let it make room for boards of so many ``lines``, once: no picture need wait for it then."""
    read_canvas(np.zeros(((lines + 2) * CELL, (lines + 2) * CELL, 3), np.uint8))


def likely(logs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Chances, whose sum over the last axis is 1, from logarithms of odds."""
    odds = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=-1, keepdims=True), np.float32)


def logs_of(chances: NDArray[np.float32]) -> NDArray[np.float32]:
    """Logarithms of ``chances``, whose mean over several readings tells what all of them together say."""
    return np.asarray(np.log(chances + _LEAST), np.float32)


def network_input(canvas: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(4, side, side): logs of the channels over the bare board's, whatever the light, and the plain brightness.

    ``canvas``: (side, side, 3) uint8 BGR. The board's colour is the median of the cells' middles.
    """
    board = np.median(_LOG[canvas[CELL:-CELL:CELL, CELL:-CELL:CELL]].reshape(-1, 3), axis=0)
    table = (_LOG[:, None] - board)[:, None].astype(np.float32)
    out = np.empty((CHANNELS, *canvas.shape[:2]), np.float32)
    cv2.split(cv2.LUT(canvas, table), list(out[:3]))
    blue, green, red = cv2.split(canvas)
    np.multiply(cv2.max(cv2.max(blue, green), red), np.float32(1 / 128), out=out[3])
    out[3] -= 1
    return out


@cache
def _network() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(np.frombuffer((files("vision") / "stones.onnx").read_bytes(), np.uint8))
