"""What is called out, and how: words in each language, rendered ahead, played in time or dropped; a buzzer without."""
