"""The wire protocol: messages, frames, numbering and retransmission, without a port or a clock.

May import ``rig.core`` only.
Begin with ``messages.py``, then ``go_back_n.py``.
"""
