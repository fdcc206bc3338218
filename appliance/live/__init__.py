"""The box at the board: its settings, its socket, its displays and voice."""
