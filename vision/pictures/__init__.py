"""The kinds of picture file: how large a picture its header declares, and its pixels."""
