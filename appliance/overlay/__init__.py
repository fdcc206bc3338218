"""What was seen, drawn into the pictures: a photograph that was read, the film of a game that was replayed."""
