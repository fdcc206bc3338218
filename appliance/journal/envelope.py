"""The sealed move of an adjourned game (C13): the journal keeps it locked, a code on the paper envelope opens it.

A salted hash would hide nothing: a board has 225 points, and whoever reads the salt beside the hash tries them all. So
the move is encrypted, under a key that comes from a random code; the code is shown once and kept nowhere. All tokens
are of one length.
"""

from __future__ import annotations

import base64
import secrets
from dataclasses import dataclass

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from appliance.game.points import Point

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's digits: none is taken for another in handwriting."""

_MISREAD = str.maketrans("OIL", "011", " -")
_GROUPS, _PER_GROUP = 4, 4
"""80 bits of chance."""

_SALT_BYTES = 16


class EnvelopeError(Exception):
    """The envelope stays shut; the message says in one line what and what to do."""


@dataclass(frozen=True, kw_only=True)
class Sealed:
    """``token``: for the journal, tells nothing. ``code``: such as ``7K2M-…``, for the paper alone."""

    token: str
    code: str


def seal(point: Point, size: int) -> Sealed:
    """Seal a move on a board of ``size`` lines. Takes the processor for a moment, on purpose."""
    if not (0 <= point.file < size and 0 <= point.rank < size):
        raise ValueError(f"{point} is not on a board of {size} lines")
    groups = ["".join(secrets.choice(_LETTERS) for _ in range(_PER_GROUP)) for _ in range(_GROUPS)]
    code = "-".join(groups)
    salt = secrets.token_bytes(_SALT_BYTES)
    locked = Fernet(_key(code, salt)).encrypt_at_time(bytes([point.file, point.rank, size]), 0)
    return Sealed(token=base64.urlsafe_b64encode(salt + base64.urlsafe_b64decode(locked)).decode(), code=code)


def opened(token: str, code: str) -> Point:
    """The sealed move. ``code`` as it stands on the paper; case, spaces and hyphens do not matter."""
    try:
        data = base64.b64decode(token, altchars=b"-_", validate=True)
    except ValueError:
        raise EnvelopeError("the sealed move in the journal is damaged: take the move from the paper") from None
    salt, locked = data[:_SALT_BYTES], data[_SALT_BYTES:]
    try:
        file, rank, _ = Fernet(_key(code, salt)).decrypt(base64.urlsafe_b64encode(locked))
    except InvalidToken:
        raise EnvelopeError("this code does not open the sealed move: compare it with the paper") from None
    return Point(file, rank)


def _key(code: str, salt: bytes) -> bytes:
    plain = code.upper().translate(_MISREAD)
    derived = Scrypt(salt=salt, length=32, n=2**14, r=8, p=1).derive(plain.encode(errors="replace"))
    return base64.urlsafe_b64encode(derived)
