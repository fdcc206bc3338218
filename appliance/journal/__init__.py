"""What is kept: the evidence behind each ruling."""
