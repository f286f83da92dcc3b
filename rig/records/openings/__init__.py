"""What a board says afterwards of a session's openings, and which rewards they were."""
