# This file has the checks and tools beside the build. The Makefile includes it, and it uses the Makefile's variables.
#
# make stack          compute the greatest stack depth on both boards from their programs, and print the free RAM
# make clang          check all sources with clang, for both chips and for this machine
# make tidy           check the core with clang-tidy; .clang-tidy lists the checks
# make format         format all sources with clang-format
# make format-check   fail if clang-format would change a source
# make sketch         copy the sources to a sketch for the Arduino IDE: build/sketch/firmware/firmware.ino
# make arduino        build that sketch for both boards as the Arduino IDE does
#
# It needs the Debian or Ubuntu packages clang clang-tidy clang-format arduino-builder.

.PHONY: stack stack-uno stack-mega clang clang-uno clang-mega clang-host tidy format format-check
.PHONY: sketch arduino arduino-uno arduino-mega

CLANG ?= clang++
CLANG_TIDY ?= clang-tidy
CLANG_FORMAT ?= clang-format

HEADER_FILES := $(HEADERS) $(sort $(wildcard test/*.h))
# messages.h is generated.
FORMATTED := firmware.ino $(CORE) $(TARGET) $(PICO) $(TESTS) $(wildcard test/rp2040/*.cpp) $(filter-out %/messages.h,$(HEADER_FILES))

# --- stack ---

PROJECT_PYTHON := $(firstword $(wildcard ../.venv/bin/python) python3)
# SCHEDULER_BUSY (target.h), as I/O address and bit: while it is set, an interrupt that calls hal::run_scheduler returns.
LOCK := 0x1e,0

stack: stack-uno stack-mega

stack-uno stack-mega: stack-%: $(BUILD)/%.elf
	@PYTHONPATH=.. $(PROJECT_PYTHON) -m sim_hardware.avr.stack_depth $* $< \
	  --lock $(LOCK)

# --- a second compiler, which only checks ---

STRICT := -fsyntax-only -I. -Wall -Wextra -Werror
# avr-libc defines the limits of integers in C++ only with __STDC_LIMIT_MACROS. Its delay functions need optimization.
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
	@$(CLANG) $(ON_HOST) $(STRICT) $(call CHIP_LIMITS,mega) $(CORE)
	@$(CLANG) $(ON_HOST) $(STRICT) $(call CHIP_LIMITS,pico) $(CORE)

# --- clang-tidy ---

tidy:
	@$(CLANG_TIDY) --quiet --warnings-as-errors='*' $(CORE) -- $(ON_HOST) $(call CHIP_LIMITS,uno) -I.

# --- style ---

format:
	@$(CLANG_FORMAT) -i $(FORMATTED)

format-check:
	@$(CLANG_FORMAT) --dry-run --Werror $(FORMATTED)

# --- the Arduino IDE ---

# The IDE compiles the sketch's folder and its subfolder src, without include paths. So all sources are copied to src.
SKETCH := $(BUILD)/sketch/firmware
BOARD_uno := arduino:avr:uno
BOARD_mega := arduino:avr:mega:cpu=atmega2560

sketch:
	@rm -rf $(SKETCH)
	@mkdir -p $(SKETCH)/src
	@cp $(wildcard core/*.cpp core/*.h targets/avr/*.cpp targets/avr/*.h) $(SKETCH)/src
	@sed 's@#include "@#include "src/@' firmware.ino >$(SKETCH)/firmware.ino

arduino: arduino-uno arduino-mega

# The compiler that comes with the IDE defines DECIMAL_DIG; Debian's, which runs here, does not.
arduino-uno arduino-mega: arduino-%: sketch
	@mkdir -p $(BUILD)/arduino-$*
	@arduino-builder -compile -logger=machine -fqbn=$(BOARD_$*) -build-path=$(abspath $(BUILD)/arduino-$*) \
	  -hardware=$(AVR)/../.. -hardware=/usr/share/arduino-builder -tools=/usr/bin -prefs=compiler.path=/usr/bin/ \
	  -prefs=compiler.cpp.extra_flags=-DDECIMAL_DIG=__DECIMAL_DIG__ $(SKETCH)/firmware.ino >/dev/null
	@avr-size -A $(BUILD)/arduino-$*/firmware.ino.elf | sh size.sh $*
