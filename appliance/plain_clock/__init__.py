"""The box as a plain chess clock: what is told in, what is shown, called out and written down."""
