"""What the analyses share: arrays, sessions to read, numbers over subjects, tables and figures."""
