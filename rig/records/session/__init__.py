"""Recorded sessions: where they are, what they ran, how they ended, what they sum up to."""
