"""The seven segments of each character that the clock shows: a on top, then clockwise to f, g in the middle."""

from __future__ import annotations

SEGMENTS = {
    " ": "",
    "0": "abcdef",
    "1": "bc",
    "2": "abdeg",
    "3": "abcdg",
    "4": "bcfg",
    "5": "acdfg",
    "6": "acdefg",
    "7": "abc",
    "8": "abcdefg",
    "9": "abcdfg",
    "A": "abcefg",
    "E": "adefg",
    "F": "aefg",
    "G": "acdef",
    "L": "def",
    "P": "abefg",
    "h": "cefg",
    "n": "ceg",
}
