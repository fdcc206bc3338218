"""Write pictures as a video that every browser plays: H.264 in MP4, through PyAV."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from fractions import Fraction
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from av.container import OutputContainer
    from av.video.stream import VideoStream
    from numpy.typing import NDArray

_MS = Fraction(1, 1000)

_LONGEST_MS = 24 * 3600 * 1000
"""A picture is shown no longer than this: MP4 keeps each one's time in 32 bits."""

_NOMINAL_RATE = 25
"""Pictures a second, for the encoder to choose its level by; each picture has its own instant all the same."""

_OPTIONS = {"preset": "veryfast", "crf": "20", "g": "50", "bf": "0"}
"""A key picture every 50, to leap to; none waits for a later one, so that few are in memory."""

_CONTAINER = {"movflags": "+faststart", "video_track_timescale": "1000"}

_BT709 = 1
_LIMITED_RANGE = 1


class Mp4:
    """A video being written, picture by picture. Without :meth:`finish` what was written is of no use.

    All pictures have the size of the first. All methods raise OSError when the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._out: tuple[OutputContainer, VideoStream] | None = None
        self._shift_ms = 0
        self._last_ms: int | None = None

    def show(self, picture: NDArray[np.uint8], t_ms: int) -> None:
        """Show ``picture`` (H, W, 3 uint8, BGR) from ``t_ms`` on, later than the one before; the first begins the film.

        An odd side gets one more row or column, as the format holds none.
        """
        height, width = picture.shape[:2]
        even = cv2.copyMakeBorder(picture, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE)
        if self._last_ms is None:
            self._shift_ms = -t_ms
        else:
            self._shift_ms -= max(0, t_ms + self._shift_ms - self._last_ms - _LONGEST_MS)
        with _os_errors():
            self._encode(np.asarray(even, np.uint8), t_ms + self._shift_ms)
        self._last_ms = t_ms + self._shift_ms

    def finish(self, last_ms: int) -> None:
        """Show the last picture for ``last_ms`` and complete the file."""
        assert self._out is not None
        container, stream = self._out
        with _os_errors():
            for packet in stream.encode(None):
                if packet.pts == self._last_ms:
                    packet.duration = last_ms
                container.mux(packet)
            container.close()
        self._out = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._out is not None:
            with suppress(OSError), _os_errors():
                self._out[0].close()

    def _encode(self, picture: NDArray[np.uint8], t_ms: int) -> None:
        from av.video.frame import VideoFrame

        if self._out is None:
            self._out = self._open(picture.shape[1], picture.shape[0])
        container, stream = self._out
        frame = VideoFrame.from_ndarray(picture, format="bgr24").reformat(
            format="yuv420p", dst_colorspace="ITU709", dst_color_range="MPEG"
        )
        frame.pts, frame.time_base = t_ms, _MS
        for packet in stream.encode(frame):
            container.mux(packet)

    def _open(self, width: int, height: int) -> tuple[OutputContainer, VideoStream]:
        import av  # costs memory and a tenth of a second, and few replays are filmed

        container = av.open(str(self._path), "w", format="mp4", options=_CONTAINER)
        stream = container.add_stream("libx264", rate=_NOMINAL_RATE, options=_OPTIONS)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.time_base = stream.codec_context.time_base = _MS
        context = stream.codec_context
        context.colorspace = context.color_primaries = context.color_trc = _BT709
        context.color_range = _LIMITED_RANGE
        return container, stream


@contextmanager
def _os_errors() -> Iterator[None]:
    """Errors of the library as OSError."""
    from av.error import FFmpegError

    try:
        yield
    except FFmpegError as error:
        raise OSError(error.errno, error.strerror) from None
