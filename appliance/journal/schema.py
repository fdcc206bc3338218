"""The tables of a journal's file, version by version, and how an older file is brought up."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

APPLICATION_ID = 0x43616970
"""Stands in the file's head, so that another program's database is not taken for a journal."""

STEPS: tuple[str, ...] = (
    f"""
    PRAGMA application_id = {APPLICATION_ID};
    CREATE TABLE entry (
        seq INTEGER PRIMARY KEY,
        t_ns INTEGER NOT NULL,
        wall_ns INTEGER NOT NULL,
        kind TEXT NOT NULL,
        payload TEXT NOT NULL,
        previous BLOB NOT NULL CHECK (length(previous) = 32),
        digest BLOB NOT NULL CHECK (length(digest) = 32)
    ) STRICT;
    -- INSERT OR REPLACE would delete without a word; so what is inserted must come after all the rest.
    CREATE TRIGGER entry_comes_last BEFORE INSERT ON entry
    WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM entry)
        OR NEW.previous <> coalesce((SELECT digest FROM entry ORDER BY seq DESC LIMIT 1), zeroblob(32))
    BEGIN SELECT RAISE(ABORT, 'an entry must follow the last one'); END;
    CREATE TRIGGER entry_stays BEFORE UPDATE ON entry
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
    CREATE TRIGGER entry_is_kept BEFORE DELETE ON entry
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
    CREATE TABLE pulse (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        t_ns INTEGER NOT NULL,
        wall_ns INTEGER NOT NULL
    ) STRICT;
    """,
)
"""What leads from each version to the next; the first makes version 1. Steps are added, never changed."""


def version(connection: sqlite3.Connection) -> int:
    """The version of the file's tables; 0: it has none."""
    found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return found


def bring_up(connection: sqlite3.Connection, steps: Sequence[str]) -> None:
    """Take the steps that the file lacks, each as one transaction: it is done whole or not at all."""
    for number in range(version(connection) + 1, len(steps) + 1):
        try:
            # executescript commits what is open before it begins; so the transaction is opened inside.
            connection.executescript(f"BEGIN IMMEDIATE; {steps[number - 1]}; PRAGMA user_version = {number}; COMMIT;")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
