"""A second simulator of the chip: npm's avr8js under node, with peripherals written from the datasheets.

docs/decisions/second-simulator.md says why there are two, and which of them errs where.
"""
