"""Free water: each poke at a side port gives a drop."""
