"""One command, ``caipan``."""

from appliance.cli.app import main

__all__ = ["main"]
