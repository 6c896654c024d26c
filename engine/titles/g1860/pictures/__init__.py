"""What may be seen, asked and said: views, headlines, labels of choices, sentences of events."""
