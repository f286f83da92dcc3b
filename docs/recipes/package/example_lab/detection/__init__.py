"""Detection of buzzes: the task, a virtual mouse, an analysis and a command."""
