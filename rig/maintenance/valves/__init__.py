"""The verbs of a valve; its calibration: which bursts, their weights, the curve, and its file.

Begin with `calibrate.calibrate`, then `bursts.plan_bursts` and `curve.fit_curve`.
"""
