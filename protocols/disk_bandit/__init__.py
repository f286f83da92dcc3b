"""The disk bandit with variable intervals (Racey et al. 2011): tasks for pigeons and people, subjects, analysis."""
