"""What is known of a camera and its board: where the grid lies in the picture."""
