"""What a board has sampled: a file of each analog input and encoder beside the journal."""
