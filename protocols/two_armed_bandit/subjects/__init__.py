"""Virtual mice at three nose ports: one timing of behavior, and several published models of choice.

They act through ``sim_hardware.world.body``, and choose by ``learners``; no board, no protocol.
Begin at ``nose_port_mouse`` (timing), then ``learner_mouse`` and ``rflr``.
"""
