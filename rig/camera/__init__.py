"""A camera overhead: finds the light that an animal wears, in a process of its own."""
