# make stack        how deep the stack of both boards gets at most, computed from their programs, and the room for it
#
# Included by Makefile, whose variables it uses.

# --- stack ---

PROJECT_PYTHON := $(firstword $(wildcard ../.venv/bin/python) python3)
# While one of these functions runs, an interrupt that calls one of them goes no further.
EXCLUSIVE := hal::kick chip::service
# These interrupts enable interrupts; none of them comes again before it has ended.
NESTS := EE_READY_vect PCINT0_vect PCINT1_vect PCINT2_vect
NESTS_mega := $(foreach number,0 1 2 3 4 5,INT$(number)_vect)

.PHONY: stack stack-uno stack-mega

stack: stack-uno stack-mega

stack-uno stack-mega: stack-%: $(BUILD)/%.elf
	@PYTHONPATH=.. $(PROJECT_PYTHON) -m sim_hardware.avr.stack_depth $* $< \
	  $(EXCLUSIVE:%=--exclusive %) $(NESTS:%=--nests %) $(NESTS_$*:%=--nests %)
