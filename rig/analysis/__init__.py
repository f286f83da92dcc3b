"""What a trial table says: one subject of analysis a module, pure functions of arrays."""
