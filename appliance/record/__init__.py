"""The game record: what it holds, and how it is written down."""
