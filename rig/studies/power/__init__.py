"""How many subjects an effect needs: simulated experiments that are drawn from simulated subjects.

Begin with ``designs.run_power``.
"""
