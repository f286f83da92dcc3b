"""Analysis of sessions of whatever protocol: one at a glance, one animal over days."""
