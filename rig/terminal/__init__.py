"""What a person reads: nothing from a file or a board reaches a terminal as a command to it."""
