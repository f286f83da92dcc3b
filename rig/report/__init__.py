"""Reports of sessions, subjects and days: HTML pages that are made from records alone."""
