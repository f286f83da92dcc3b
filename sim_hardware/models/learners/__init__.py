"""What subjects make of their rewards: pure learners without a body or a clock, to be stepped by anyone."""
