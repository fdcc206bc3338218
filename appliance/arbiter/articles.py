"""The articles that rulings cite: what each source text says, in Chinese word for word and in English."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from appliance.game.ruleset import Text

FALLBACK = Text.B
"""The text that stands in where another has no article."""


@dataclass(frozen=True, kw_only=True)
class Article:
    """What a ruling cites.

    ``rule``: the rule's id, such as ``P4``. ``citation``: text and article, such as ``A 9.1(7)``; it says so when the
    article comes from another text than the one asked for, or when no text has one and ``text_*`` state the rule
    plainly. ``text_zh``: the source's own words, one article per line, ``…`` where something between is left out;
    ``text_en``: their translation; ``citation_zh``: ``citation`` with its remark in Chinese. ``place``: the citation
    alone; ``borrowed``: it is in another text than the one asked for.
    """

    code: str
    rule: str
    title_zh: str
    title_en: str
    citation: str
    citation_zh: str
    place: str
    borrowed: bool
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
    source = next((t for t in (text, FALLBACK) if t in entry), None)
    if source is None:
        cited, remark, remark_zh = entry["rule"], " (no article in A, B, C)", "（A、B、C均无条文）"
        quotations = [{"zh": entry["plain_zh"], "en": entry["plain_en"]}]
    else:
        keys: list[str] = entry[source]
        # "A:2.10" in the list of another text: what that text does not say itself.
        places = [(borrowed or source, key) for borrowed, _, key in (key.rpartition(":") for key in keys)]
        numbers: dict[str, dict[str, None]] = {}
        for name, key in places:
            numbers.setdefault(name, {})[key.partition("#")[0]] = None
        cited = "; ".join(f"{name} {', '.join(those)}" for name, those in numbers.items())
        remark, remark_zh = "", ""
        if source is not text:
            remark, remark_zh = f" (no article in {text})", f"（{text}无此条）"
        elif len(numbers) > 1:
            remark, remark_zh = f" (not in {text})", f"（{text}未载）"
        quotations = [_data()[name][key] for name, key in places]
    return Article(
        code=code,
        rule=entry["rule"],
        title_zh=entry["zh"],
        title_en=entry["en"],
        citation=cited + remark,
        citation_zh=cited + remark_zh,
        place=cited,
        borrowed=source is not None and source is not text,
        text_zh="\n".join(q["zh"] for q in quotations),
        text_en="\n".join(q["en"] for q in quotations),
    )
