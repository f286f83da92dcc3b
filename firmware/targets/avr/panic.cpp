// SPDX-License-Identifier: BSD-3-Clause
//
// the panic input, and all outputs at their rest at once.

#include <avr/interrupt.h>
#include <avr/io.h>

#include "avr.h"
#include "hal.h"
#include "ports.h"

namespace hal {

Button button;
uint8_t rests[LAST_PORT - FIRST_PORT + 1];

namespace {

uint32_t stamp;

}  // namespace

// A pin that is no output has a 0 there, for it has no pull-up: ports are written whole.
void rest_outputs() {
#define REST(port, out) out = rests[port - FIRST_PORT];
  FOR_EACH_OUT(REST)
}

void watch_panic(Pin pin, bool level) {
  make_input(pin);
  InterruptsOff off;
  Address levels = static_cast<Address>(reinterpret_cast<uint16_t>(levels_of(pin.port)));
  button = Button{levels, pin.mask, static_cast<uint8_t>(level ? 0 : pin.mask)};
  look_at_button();
}

bool has_panicked() { return is(PANICKED); }

uint32_t panicked_at() { return stamp; }

void forget_panic() {
  button.mask = 0;
  lower(PANICKED);
}

}  // namespace hal

extern "C" void __vector_panic() __attribute__((signal, used, externally_visible));
extern "C" void __vector_panic() {
  using namespace hal;
  rest_outputs();
#ifdef OCR1C
  TIMSK1 &= ~(_BV(OCIE1B) | _BV(OCIE1C));
#else
  TIMSK1 &= ~_BV(OCIE1B);
#endif
  raise(PANICKED);
  button.mask = 0;
  union {  // or the compiler would shift and combine them
    uint8_t halves[2];
    uint16_t whole;
  } changed = {{GPIOR1, GPIOR2}};
  stamp = extend(is(CHANGED) ? changed.whole : TCNT1);
}
