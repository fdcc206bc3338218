"""``caipan clock --explain``: a control in words and as data, and what is no control."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from appliance.cli.app import app


def test_a_control_in_words() -> None:
    result = CliRunner().invoke(app, ["clock", "15m;3x30s", "--explain"])
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "15m; 3x30s",
        "",
        "Each player has 15 minutes.",
        "Then byo-yomi: 3 periods of 30 seconds.",
        "A move within a period costs nothing, and the period starts afresh; a period that runs out is lost.",
        "Whoever loses the last period loses on time.",
    ]


def test_a_control_as_data() -> None:
    result = CliRunner().invoke(app, ["clock", "2/10m+1s first=none; canadian 5/1m vs 1x30s", "--explain", "--json"])
    (line,) = result.stdout.splitlines()
    data = json.loads(line)
    assert len(data.pop("words")) == 10
    assert data == {
        "control": "2/10m+1s first=none; canadian 5/1m vs 1x30s",
        "sharing": "own",
        "first": {
            "stages": [
                {
                    "kind": "period",
                    "time_ns": 600_000_000_000,
                    "moves": 2,
                    "bonus": {"kind": "increment", "time_ns": 1_000_000_000},
                },
                {"kind": "canadian", "moves": 5, "time_ns": 60_000_000_000},
            ],
            "first_increment": "none",
        },
        "second": {
            "stages": [{"kind": "byo_yomi", "periods": 1, "time_ns": 30_000_000_000}],
            "first_increment": "after",
        },
    }


def test_what_is_no_control_is_one_line() -> None:
    for text in ("15m;3x30", "", "5m\n3s;x"):
        result = CliRunner().invoke(app, ["clock", text, "--explain"])
        assert (result.exit_code, result.stdout) == (2, "")
        (line,) = result.stderr.splitlines()
        assert line.startswith("caipan: ")
    assert "at '30' (character 7): a time needs its unit" in CliRunner().invoke(app, ["clock", "15m;3x30"]).stderr
