"""What a person sees while a session runs: a function of its journal, drawn in a process of its own."""
