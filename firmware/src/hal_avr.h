// SPDX-License-Identifier: BSD-3-Clause
//
// What the files of the AVR's half share, and the sketch calls.

#pragma once

#include <avr/io.h>
#include <stdint.h>

namespace hal {

// Prepare the chip: its clock, its serial port at 500,000 baud, its watchdog.
void begin();

// Tell the watchdog that the loop still runs; it must hear so every 120 ms.
void pat_watchdog();

// Sleep until there is something to do.
void sleep();

// Each of these belongs to one file.
void begin_clock();
void begin_serial();
void begin_watchdog();

// Have chip::service called before anything else goes on. Only for interrupts.
void kick();

// What goes on, in a register whose bits one instruction can change and test.
enum Flag : uint8_t {
  BUSY,     // service runs, or is put off
  WANTED,   // it was called meanwhile
  RESTING,  // there was so much to do that the loop has its turn
  LAPSED,   // a lap of the clock is over, and the loop is to look around
  SEEN,     // that a pin has changed, by somebody who keeps its interrupt from coming: when is in GPIOR1 and GPIOR2
};
#define ONE_INSTRUCTION inline __attribute__((always_inline))  // or an interrupt may come between reading and writing
ONE_INSTRUCTION bool is(Flag flag) { return GPIOR0 & _BV(flag); }
ONE_INSTRUCTION void raise(Flag flag) { GPIOR0 |= _BV(flag); }
ONE_INSTRUCTION void lower(Flag flag) { GPIOR0 &= ~_BV(flag); }

// Tell whether a change of a pin waits for its interrupt.
inline bool a_change_waits() {
#if defined(__AVR_ATmega328P__)
  return PCIFR;
#else
  return PCIFR | EIFR;
#endif
}

// To be called while interrupts are off and there is time: keep the stamp of such a change.
inline void note_change(uint16_t now) {
  if (!a_change_waits() || is(SEEN)) return;
  GPIOR1 = now;
  GPIOR2 = now >> 8;
  raise(SEEN);
}

// Tell whether enough bytes have arrived to be worth the loop's time: a frame, or half the room for them.
bool has_received();

}  // namespace hal
