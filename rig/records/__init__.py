"""Records: everything that is read from a journal afterwards."""
