// SPDX-License-Identifier: BSD-3-Clause
//
// the watchdog, and why the board has started. A bootloader may clear MCUSR before anybody reads it, so a hang
// is also remembered in memory that a reset leaves alone.

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "avr.h"
#include "hal.h"
#include "messages.h"
#include "openings.h"

namespace hal {

namespace {

constexpr uint32_t KEPT = 0x52494731, HUNG = 0x52494732;

// What a reset leaves alone; it means something when `mark` is one of the above.
struct Memory {
  uint32_t mark;
  uint8_t epoch;
};
Memory memory TARGET_RETAINED;

uint8_t reason;
uint8_t find_reason(bool kept) {
  uint8_t flags = GPIOR1;  // of MCUSR, since stop_watchdog; from now on it is free for the stamps of pins
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
    openings::forget();
  }
  memory.mark = KEPT;
  cli();
  wdt_reset();
  WDTCSR = _BV(WDCE) | _BV(WDE);
  WDTCSR = _BV(WDIE) | _BV(WDE) | _BV(WDP1) | _BV(WDP0);  // an interrupt after 125 ms, a reset after as long again
  sei();
}

void kick_watchdog() { wdt_reset(); }

uint8_t reset_reason() { return reason; }

uint8_t& last_epoch() { return memory.epoch; }

}  // namespace hal

// Before anything else: pins are inputs after a reset, so all that can keep going is the watchdog.
void stop_watchdog() __attribute__((naked, used, section(".init3")));
void stop_watchdog() {
  GPIOR1 = MCUSR;
  MCUSR = 0;
  wdt_disable();
}

// The loop hangs: make the outputs safe, remember it, and be reset at once.
ISR(WDT_vect) {
  hal::rest_outputs();
  hal::memory.mark = hal::HUNG;
  wdt_reset();
  WDTCSR = _BV(WDCE) | _BV(WDE);
  WDTCSR = _BV(WDE);  // after 16 ms
  for (;;) {
  }
}
