// SPDX-License-Identifier: BSD-3-Clause
//
// The I/O ports of each chip, in macros, so that the compiler accesses each one by its fixed address.
// ATmega328P datasheet, chapter 14 (I/O-Ports); ATmega2560, chapter 13.

#pragma once

#include <Arduino.h>

#include "avr.h"

namespace hal {

// The Arduino core's numbers of the ports.
enum PortNumber : uint8_t { A = 1, B, C, D, E, F, G, H, J = 10, K, L };

// For each port that has pins with an interrupt, in the order of snapshots: its index, and its PIN register. Then the
// bits of these ports in the flags of a snapshot.
#if defined(__AVR_ATmega328P__)
#define FOR_EACH_INPUT_PORT(port) port(0, PINB) port(1, PINC) port(2, PIND)
enum PortFlag : uint8_t { FLAG_B = 1, FLAG_C = 2, FLAG_D = 4 };
static_assert(FLAG_B == _BV(PCIF0) && FLAG_C == _BV(PCIF1) && FLAG_D == _BV(PCIF2), "PCIFR has the same bits");
#else
#define FOR_EACH_INPUT_PORT(port) port(0, PINB) port(1, PIND) port(2, PINE) port(3, PINJ) port(4, PINK)
enum PortFlag : uint8_t { FLAG_B = 1, FLAG_D = 2, FLAG_E = 4, FLAG_J = 8, FLAG_K = 16 };
#endif

// For each port: its number, and its PORT register.
#if defined(__AVR_ATmega328P__)
#define FOR_EACH_OUTPUT_PORT(port) port(B, PORTB) port(C, PORTC) port(D, PORTD)
constexpr uint8_t FIRST_PORT = B, LAST_PORT = D;
#else
#define FOR_EACH_OUTPUT_PORT(port)                                                                         \
  port(A, PORTA) port(B, PORTB) port(C, PORTC) port(D, PORTD) port(E, PORTE) port(F, PORTF) port(G, PORTG) \
      port(H, PORTH) port(J, PORTJ) port(K, PORTK) port(L, PORTL)
constexpr uint8_t FIRST_PORT = A, LAST_PORT = L;
#endif

// The safe levels of each port's outputs, from FIRST_PORT on. The bits of all other pins are 0.
extern uint8_t safe_levels[];

// Return the PIN register of an input port, given its index in a snapshot.
volatile uint8_t* input_register(uint8_t port);

}  // namespace hal
