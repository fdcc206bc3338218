"""What people write by hand in TOML: read, checked, and its first mistake told."""
