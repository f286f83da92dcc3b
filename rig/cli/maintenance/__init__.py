"""Parts of the commands that work on a rig between sessions."""
