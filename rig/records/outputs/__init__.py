"""When each input and output of a session was on, followed from its journal."""
