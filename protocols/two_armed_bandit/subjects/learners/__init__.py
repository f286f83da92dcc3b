"""Learning rules without body or clock, which models and analyses can step.

They import nothing of ``rig`` or the rest of ``sim_hardware``.
Begin at ``base``, then ``value_learning``.
"""
