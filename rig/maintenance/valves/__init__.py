"""The calibration of a valve: which bursts, their weights, the curve, and its file.

Begin with `schedule.plan_bursts`, then `curve.fit_curve`.
"""
