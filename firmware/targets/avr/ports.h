// SPDX-License-Identifier: BSD-3-Clause
//
// the ports, as the fastest code there can be reaches them.

#pragma once

#include <Arduino.h>

#include "avr.h"
#include "hal.h"

namespace hal {

// The Arduino core's numbers of the ports.
enum Port : uint8_t { A = 1, B, C, D, E, F, G, H, J = 10, K, L };

// For each port with pins that can interrupt, in the order of hal::Levels: its place, its levels, which of its pins are
// watched.
#if defined(__AVR_ATmega328P__)
#define FOR_EACH(port) port(0, PIND, PCMSK2) port(1, PINB, PCMSK0) port(2, PINC, PCMSK1)
#else
#define FOR_EACH(port) \
  port(0, PINB, PCMSK0) port(1, PIND, EIMSK) port(2, PINE, EIMSK) port(3, PINJ, PCMSK1 >> 1) port(4, PINK, PCMSK2)
#endif

// Each port: its number, its outputs.
#if defined(__AVR_ATmega328P__)
#define FOR_EACH_OUT(port) port(B, PORTB) port(C, PORTC) port(D, PORTD)
constexpr uint8_t FIRST_PORT = B, LAST_PORT = D;
#else
#define FOR_EACH_OUT(port)                                                                                 \
  port(A, PORTA) port(B, PORTB) port(C, PORTC) port(D, PORTD) port(E, PORTE) port(F, PORTF) port(G, PORTG) \
      port(H, PORTH) port(J, PORTJ) port(K, PORTK) port(L, PORTL)
constexpr uint8_t FIRST_PORT = A, LAST_PORT = L;
#endif
extern uint8_t rests[];  // the levels at which its outputs are at rest; 0 of other pins

// Where the levels of a port of inputs are.
volatile uint8_t* levels_of(uint8_t port);

// Put a level on an output, unless there was a panic. Only with interrupts off.
inline void put(Pin pin, bool level) {
  if (is(PANICKED)) return;
  volatile uint8_t* out = portOutputRegister(pin.port);
  if (level) {
    *out |= pin.mask;
  } else {
    *out &= ~pin.mask;
  }
}

}  // namespace hal
