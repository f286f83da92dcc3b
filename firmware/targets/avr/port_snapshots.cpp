// SPDX-License-Identifier: BSD-3-Clause
//
// This file has the interrupts of pins. They record the levels of all input ports (snapshots.h), then run the
// scheduler. ATmega328P datasheet, chapter 13 (External Interrupts); ATmega2560, chapter 15.

#include <Arduino.h>

#include "avr.h"
#include "hal.h"
#include "ports.h"
#include "snapshots.h"

namespace hal {

namespace {

// Ticks from the change of a pin to the read of TCNT1 in its interrupt: about 40 CPU cycles for the interrupt response,
// the jump in the vector table and the registers that the compiler pushes.
constexpr uint8_t ENTRY = 5;

// Read and clear the flags of all ports. It must come before the ports are read: a change after it sets a flag again.
// The flag of an interrupt is cleared when the interrupt begins, so an interrupt passes its own as `flags`.
ALWAYS_INLINE uint8_t take_flags(uint8_t flags) {
#if defined(__AVR_ATmega328P__)
  uint8_t changed = PCIFR;
  PCIFR = changed;
  return flags | changed;
#else
  uint8_t changed = PCIFR, external = EIFR & EIMSK;  // EIFR is set for masked pins too
  PCIFR = changed;
  EIFR = external;
  if (changed & _BV(PCIF0)) flags |= FLAG_B;
  if (external & 0x0F) flags |= FLAG_D;
  if (external & 0x30) flags |= FLAG_E;
  if (changed & _BV(PCIF1)) flags |= FLAG_J;
  if (changed & _BV(PCIF2)) flags |= FLAG_K;
  return flags;
#endif
}

// Other interrupts wait while pins change, because interrupts of pins have priority: so each looks after the timer and
// the serial port.
__attribute__((noinline)) void on_change(uint16_t at, uint8_t flags) {
  flags = take_flags(flags);
  check_panic_input(at);
  snapshots::record(at, flags);
  poll_timer();
  poll_receiver();
}

inline void on_interrupt(uint8_t flag) {
  on_change(TCNT1 - ENTRY, flag);
  run_scheduler();
}

}  // namespace

void poll() {
#if defined(__AVR_ATmega328P__)
  bool has_changed = PCIFR;
#else
  bool has_changed = PCIFR | (EIFR & EIMSK);
#endif
  if (has_changed) {
    uint16_t at = TCNT1;
    uint8_t flags = take_flags(0);
    check_panic_input(at);
    snapshots::record(at, flags);
  }
  poll_receiver();
}

}  // namespace hal

#if defined(__AVR_ATmega328P__)
ISR(PCINT0_vect) { hal::on_interrupt(hal::FLAG_B); }
ISR(PCINT1_vect) { hal::on_interrupt(hal::FLAG_C); }
ISR(PCINT2_vect) { hal::on_interrupt(hal::FLAG_D); }
#else
ISR(PCINT0_vect) { hal::on_interrupt(hal::FLAG_B); }
ISR(PCINT1_vect) { hal::on_interrupt(hal::FLAG_J); }
ISR(PCINT2_vect) { hal::on_interrupt(hal::FLAG_K); }
ISR(INT0_vect) { hal::on_interrupt(hal::FLAG_D); }
ISR(INT1_vect, ISR_ALIASOF(INT0_vect));
ISR(INT2_vect, ISR_ALIASOF(INT0_vect));
ISR(INT3_vect, ISR_ALIASOF(INT0_vect));
ISR(INT4_vect) { hal::on_interrupt(hal::FLAG_E); }
ISR(INT5_vect, ISR_ALIASOF(INT4_vect));
#endif
