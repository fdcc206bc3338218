"""Time of the two seats: who used how much, in integer nanoseconds."""
