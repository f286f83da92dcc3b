# make stack          how deep the stack of both boards gets at most, computed from their programs, and the room for it
# make clang          a second compiler reads all sources, for both chips and for this machine
# make tidy           clang-tidy reads the portable part; .clang-tidy says what it looks for
# make format         clang-format writes all sources anew
# make format-check   tells what that would change
# make sketch         all that a chip needs as a sketch for the Arduino IDE: build/sketch/firmware/firmware.ino
# make arduino        build that sketch for both boards as the Arduino IDE does
#
# Included by Makefile, whose variables these use. Needs, as Debian and Ubuntu have them: clang clang-tidy clang-format
# arduino-builder.

.PHONY: stack stack-uno stack-mega clang clang-uno clang-mega clang-host tidy format format-check
.PHONY: sketch arduino arduino-uno arduino-mega

CLANG ?= clang++
CLANG_TIDY ?= clang-tidy
CLANG_FORMAT ?= clang-format

HEADER_FILES := $(HEADERS) $(sort $(wildcard test/*.h))
# messages.h is written by a program.
FORMATTED := firmware.ino $(CORE) $(TARGET) $(TESTS) $(filter-out %/messages.h,$(HEADER_FILES))

# --- stack ---

PROJECT_PYTHON := $(firstword $(wildcard ../.venv/bin/python) python3)
# While one of these functions runs, an interrupt that calls one of them goes no further.
EXCLUSIVE := hal::run_scheduler scheduler::run
# These interrupts enable interrupts; none of them comes again before it has ended.
NESTS := EE_READY_vect PCINT0_vect PCINT1_vect PCINT2_vect
NESTS_mega := $(foreach number,0 1 2 3 4 5,INT$(number)_vect)

stack: stack-uno stack-mega

stack-uno stack-mega: stack-%: $(BUILD)/%.elf
	@PYTHONPATH=.. $(PROJECT_PYTHON) -m sim_hardware.avr.stack_depth $* $< \
	  $(EXCLUSIVE:%=--exclusive %) $(NESTS:%=--nests %) $(NESTS_$*:%=--nests %)

# --- a second compiler, which makes no program ---

STRICT := -fsyntax-only -I. -Wall -Wextra -Werror
# avr-libc defines the limits of integers for C++ only if asked to; its delays want to be optimized.
CLANG_ON_CHIP = --target=avr -mmcu=$(MCU_$*) -std=gnu++11 -Os -include clang.h -DF_CPU=16000000UL -D__STDC_LIMIT_MACROS \
          -DARDUINO=10819 -DARDUINO_ARCH_AVR -D$(DEFINE_$*) \
          -isystem $(AVR_LIBC) -isystem $(ARDUINO) -isystem $(AVR)/variants/$(VARIANT_$*) -Icore -Itargets/avr
AVR_LIBC ?= /usr/lib/avr/include

clang: clang-uno clang-mega clang-host

clang-uno clang-mega: clang-%:
	@$(CLANG) $(CLANG_ON_CHIP) $(STRICT) $(CORE) $(TARGET)
	@$(CLANG) $(CLANG_ON_CHIP) $(STRICT) -include Arduino.h -x c++ firmware.ino

clang-host:
	@$(CLANG) $(ON_HOST) $(STRICT) -DVECTORS='""' $(call CHIP_LIMITS,uno) $(CORE) $(TESTS)
	@$(CLANG) $(ON_HOST) $(STRICT) -DVECTORS='""' $(call CHIP_LIMITS,mega) $(CORE) $(TESTS)

# --- what a compiler does not look for ---

tidy:
	@$(CLANG_TIDY) --quiet --warnings-as-errors='*' $(CORE) -- $(ON_HOST) $(call CHIP_LIMITS,uno) -I.

# --- style ---

format:
	@$(CLANG_FORMAT) -i $(FORMATTED)

format-check:
	@$(CLANG_FORMAT) --dry-run --Werror $(FORMATTED)

# --- the Arduino IDE ---

# It compiles what is in the sketch's folder and in its folder src, and nobody tells it where headers are: all lie side by
# side.
SKETCH := $(BUILD)/sketch/firmware
BOARD_uno := arduino:avr:uno
BOARD_mega := arduino:avr:mega:cpu=atmega2560

sketch:
	@rm -rf $(SKETCH)
	@mkdir -p $(SKETCH)/src
	@cp $(wildcard core/*.cpp core/*.h targets/avr/*.cpp targets/avr/*.h) $(SKETCH)/src
	@sed 's@#include "@#include "src/@' firmware.ino >$(SKETCH)/firmware.ino

arduino: arduino-uno arduino-mega

# The IDE's own compiler knows DECIMAL_DIG.
arduino-uno arduino-mega: arduino-%: sketch
	@mkdir -p $(BUILD)/arduino-$*
	@arduino-builder -compile -logger=machine -fqbn=$(BOARD_$*) -build-path=$(abspath $(BUILD)/arduino-$*) \
	  -hardware=$(AVR)/../.. -hardware=/usr/share/arduino-builder -tools=/usr/bin -prefs=compiler.path=/usr/bin/ \
	  -prefs=compiler.cpp.extra_flags=-DDECIMAL_DIG=__DECIMAL_DIG__ $(SKETCH)/firmware.ino >/dev/null
	@avr-size -A $(BUILD)/arduino-$*/firmware.ino.elf | sh size.sh $*
