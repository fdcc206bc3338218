"""The game itself: points, positions, shapes, openings and rulesets. No camera, no clock, no I/O."""
