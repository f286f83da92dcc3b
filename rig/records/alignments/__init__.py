"""How a session's clock maps onto the clocks of other systems."""
