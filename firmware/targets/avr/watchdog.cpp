// SPDX-License-Identifier: BSD-3-Clause
//
// This file runs the watchdog, and finds the reason of the last reset. A bootloader may clear MCUSR before the firmware
// reads it, so the watchdog interrupt also leaves a mark in RAM that startup does not clear. ATmega328P datasheet,
// chapter 11 (System Control and Reset), 11.8 (Watchdog Timer); ATmega2560, chapter 12.

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "avr.h"
#include "hal.h"
#include "messages.h"
#include "openings.h"

namespace hal {

namespace {

// Either mark shows that the RAM kept its contents through the reset. Boot writes KEPT, the watchdog interrupt writes
// HUNG. RAM has random contents after power-on, and 32 bits make an accidental match unlikely.
constexpr uint32_t KEPT = 0x52494731, HUNG = 0x52494732;

// Its contents are valid if `mark` is one of the two.
struct Memory {
  uint32_t mark;
  uint8_t epoch;
};
Memory memory TARGET_RETAINED;

uint8_t reason;

// Return the reason of the reset, one of wire::RESET_…. It is the button if only the RAM shows that there was a reset.
uint8_t find_reason(bool kept) {
  uint8_t flags = GPIOR1;  // MCUSR at the start, saved by stop_watchdog
  if (memory.mark == HUNG || (flags & _BV(WDRF))) return wire::RESET_WATCHDOG;
  if (flags & _BV(PORF)) return wire::RESET_POWER;
  if (flags & _BV(BORF)) return wire::RESET_BROWN_OUT;
  return kept || (flags & _BV(EXTRF)) ? wire::RESET_BUTTON : wire::RESET_POWER;
}

}  // namespace

void begin_watchdog() {
  bool kept = memory.mark == KEPT || memory.mark == HUNG;
  reason = find_reason(kept);
  if (!kept || (GPIOR1 & _BV(PORF))) {
    memory.epoch = 0;
    openings::clear();
    count_power_on();
  }
  memory.mark = KEPT;
  cli();  // the second write to WDTCSR must follow the first within four cycles
  wdt_reset();
  WDTCSR = _BV(WDCE) | _BV(WDE);
  // Interrupt and system reset mode: an interrupt after 125 ms, a reset after another 125 ms.
  WDTCSR = _BV(WDIE) | _BV(WDE) | _BV(WDP1) | _BV(WDP0);
  sei();
}

void kick_watchdog() { wdt_reset(); }

uint8_t reset_reason() { return reason; }

uint8_t& last_epoch() { return memory.epoch; }

}  // namespace hal

// Startup code runs this before it initializes variables, which is why the flags go to a register. After a watchdog
// reset the watchdog still runs with its shortest time, and WDRF must be cleared before it can be disabled. After a
// hang there was no reset, so the registers that this program expects to be 0 are not.
void stop_watchdog() __attribute__((naked, used, section(".init3")));
void stop_watchdog() {
  GPIOR1 = MCUSR;
  MCUSR = 0;
  wdt_disable();
  hal::clear(hal::SCHEDULER_BUSY);
  hal::clear(hal::SCHEDULER_REQUESTED);
  hal::clear(hal::SCHEDULER_YIELDED);
  hal::clear(hal::PANICKED);
  PCICR = EIMSK = 0;
}

// The main loop has not called kick_watchdog for 125 ms: set all outputs to their safe levels, leave the mark, and
// start the program again. Interrupts stay disabled until then. A reset by the watchdog would leave the watchdog
// running with its shortest time, and old bootloaders do not stop it: they would be reset for ever.
ISR(WDT_vect, ISR_NAKED) {
  asm volatile("clr __zero_reg__");  // the program may have been anywhere
  hal::stop_tones();
  hal::set_safe_levels();
  hal::memory.mark = hal::HUNG;
  asm volatile("jmp 0");
}
