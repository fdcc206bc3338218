"""``caipan rules``: what the box will enforce, for the referee to read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from appliance.arbiter.articles import FALLBACK, Article, article
from appliance.cli.mistakes import refuse
from appliance.cli.ruleset_words import Language, RulesetWords
from appliance.game.ruleset import Act, Ruleset, RulesetError, load_ruleset, ruleset_names


def rules(
    name: Annotated[
        str | None, typer.Argument(help="A ruleset's name, or a .toml file; none: list them.", show_default=False)
    ] = None,
    language: Annotated[Language, typer.Option(help="Language of the sentences; articles come in both.")] = Language.EN,
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines on stdout, nothing else there.")] = False,
) -> None:
    """List the rulesets, or tell in plain words what one of them makes the box enforce, article by article."""
    if name is None:
        rulesets = [load_ruleset(known) for known in ruleset_names()]
        for ruleset in rulesets:
            line = json.dumps(_heading(ruleset), ensure_ascii=False) if as_json else _listed(ruleset, language)
            typer.echo(line)
        return
    try:
        ruleset = load_ruleset(name)
    except RulesetError as error:
        refuse(error)
    words = RulesetWords(ruleset, language)
    typer.echo(json.dumps(_whole(ruleset, words), ensure_ascii=False) if as_json else "\n".join(_page(ruleset, words)))


def _acts(ruleset: Ruleset) -> Iterator[tuple[str, Act, Article]]:
    """The acts that the ruleset knows, each with its article."""
    for code in ruleset.acts:
        act = ruleset.act(code)
        if act is not None:
            yield code, act, article(code, ruleset.cited_text)


def _listed(ruleset: Ruleset, language: Language) -> str:
    return f"{ruleset.name:21} {RulesetWords(ruleset, language).title()}"


def _page(ruleset: Ruleset, words: RulesetWords) -> Iterator[str]:
    yield f"{ruleset.name}: {ruleset.title_en} / {ruleset.title_zh}"
    if ruleset.cited_text is not FALLBACK:
        yield words.borrowing()
    for section in words.sections():
        yield f"\n{section.title}"
        yield from (f"  {line}" for line in section.lines)
    for code, act, found in _acts(ruleset):
        yield f"\n{act.rule}  {code}: {found.title_en} / {found.title_zh}"
        yield f"  {' · '.join(words.act(act))}"
        yield f"  {words.citation(found)}"
        yield from (f"    {line}" for text in (found.text_zh, found.text_en) for line in text.splitlines())


def _heading(ruleset: Ruleset) -> dict[str, Any]:
    return {
        "ruleset": ruleset.name,
        "title_en": ruleset.title_en,
        "title_zh": ruleset.title_zh,
        "text": ruleset.text,
    }


def _whole(ruleset: Ruleset, words: RulesetWords) -> dict[str, Any]:
    settings = ruleset.model_dump(mode="json", exclude={"name", "title_en", "title_zh", "text", "acts"})
    acts = [
        {
            "code": code,
            **act.model_dump(mode="json", exclude={"needs"}),
            "article": {
                "citation": found.citation,
                "citation_zh": found.citation_zh,
                "title_zh": found.title_zh,
                "title_en": found.title_en,
                "text_zh": found.text_zh,
                "text_en": found.text_en,
            },
        }
        for code, act, found in _acts(ruleset)
    ]
    said = [{"title": section.title, "lines": list(section.lines)} for section in words.sections()]
    return {**_heading(ruleset), **settings, "in_words": said, "acts": acts}
