"""The numbers that the README quotes: ratios, each measured inside one run."""
