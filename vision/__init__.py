"""Frames in, board acts out."""
