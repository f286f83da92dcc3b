// SPDX-License-Identifier: BSD-3-Clause
//
// The panic input, and the safe levels of all outputs. docs/decisions/panic.md explains the design.

#include "ports.h"

namespace hal {

uint8_t safe_levels[LAST_PORT - FIRST_PORT + 1];

namespace {

volatile uint8_t* levels;  // the PIN register of the panic input's port
uint8_t mask, idle;        // its bit, or 0 if there is no panic input; the inactive level of that bit
uint32_t stamp;

}  // namespace

// This is not inlined, because check_panic_input runs for every edge.
__attribute__((noinline)) void panic(uint16_t at) {
  stop_tones();
  set_safe_levels();
  set(PANICKED);
  mask = 0;
  stamp = extend(at);
}

// This writes whole ports, which is fastest. The bits of pins that are no outputs are 0, so their pull-ups stay off.
void set_safe_levels() {
#define REST(port, out) out = safe_levels[port - FIRST_PORT];
  FOR_EACH_OUTPUT_PORT(REST)
}

// After a hang the program starts again without a reset: pins are still outputs, and have their safe levels.
void begin_pins() {
#define KEEP(port, out) safe_levels[port - FIRST_PORT] = out & (&out)[-1];  // DDRx comes before PORTx
  FOR_EACH_OUTPUT_PORT(KEEP)
}

void watch_panic(Pin pin, bool level) {
  InterruptsOff off;
  levels = input_register(pin.port);
  mask = pin.mask;
  idle = level ? 0 : pin.mask;
  check_panic_input(TCNT1);
}

void check_panic_input(uint16_t at) {
  if (mask && (*levels ^ idle) & mask) panic(at);
}

bool has_panicked() { return is_set(PANICKED); }

uint32_t panicked_at() { return stamp; }

void forget_panic() {
  mask = 0;
  clear(PANICKED);
}

}  // namespace hal
