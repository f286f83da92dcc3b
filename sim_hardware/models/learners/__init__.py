"""Learning rules without body or clock, which models and analyses can step.

Import only `math` and typing. Begin with `base`.
"""
