"""The articles that rulings cite: what each source text says, in Chinese word for word and in English."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from appliance.game.ruleset import Text

_FALLBACK = Text.B


@dataclass(frozen=True, kw_only=True)
class Article:
    """What a ruling cites.

    ``rule``: the rule's id, such as ``P4``. ``citation``: text and article, such as ``A 9.1(7)``; it says so when the
    article comes from another text than the one asked for, or when no text has one and ``text_*`` state the rule
    plainly. ``text_zh``: the source's own words, one article per line, ``…`` where something between is left out;
    ``text_en``: their translation.
    """

    code: str
    rule: str
    title_zh: str
    title_en: str
    citation: str
    text_zh: str
    text_en: str


@cache
def _data() -> dict[str, Any]:
    source = files("appliance.arbiter") / "articles.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))


def codes() -> list[str]:
    """Every code that a ruling may bear."""
    return list(_data()["code"])


@cache
def article(code: str, text: Text | str) -> Article:
    """The article on ``code`` in ``text``; where that text has none, text B's; else a plain statement of the rule.

    Raises KeyError for an unknown code, ValueError for an unknown text.
    """
    text = Text(text)
    entry = _data()["code"][code]
    source = next((t for t in (text, _FALLBACK) if t in entry), None)
    if source is None:
        citation = f"{entry['rule']} (no article in A, B, C)"
        quotations = [{"zh": entry["plain_zh"], "en": entry["plain_en"]}]
    else:
        keys: list[str] = entry[source]
        numbers = dict.fromkeys(key.partition("#")[0] for key in keys)
        citation = f"{source} {', '.join(numbers)}" + ("" if source is text else f" (no article in {text})")
        quotations = [_data()[source][key] for key in keys]
    return Article(
        code=code,
        rule=entry["rule"],
        title_zh=entry["zh"],
        title_en=entry["en"],
        citation=citation,
        text_zh="\n".join(q["zh"] for q in quotations),
        text_en="\n".join(q["en"] for q in quotations),
    )
