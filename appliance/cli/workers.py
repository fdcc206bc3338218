"""Worker processes: one core each, and none of them outlives the command."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from multiprocessing import get_context

import cv2

CONTEXT = get_context("spawn")
"""How workers are made: a copy of a process in which OpenCV's threads have run may stand still for ever."""

_PR_SET_PDEATHSIG = 1
"""prctl(2): the signal that a process gets when its parent ends."""


def begin_worker(parent: int) -> None:
    """For a pool's initializer, ``parent`` being the command's process: an interrupt is for the command to answer.

    A command that is killed cannot end its workers; without this they would wait for work, and hold its output open.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it ended before we asked to be told
            os._exit(1)
