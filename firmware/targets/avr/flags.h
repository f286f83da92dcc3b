// SPDX-License-Identifier: BSD-3-Clause
//
// What the interrupts and the scheduler tell each other.

#pragma once

#include <avr/io.h>
#include <stdint.h>

namespace hal {

// What goes on, in a register whose bits one instruction can change and test.
enum Flag : uint8_t {
  BUSY,      // the scheduler runs, or is put off
  WANTED,    // it was called meanwhile
  RESTING,   // there was so much to do that the loop has its turn
  WRAPPED,   // a lap of the clock is over, and the loop is to look around
  TRACKING,  // changes of pins are minded
  PENDING,   // a pin has changed, and what comes of it has not been done
  CHANGED,   // a pin has changed, and its levels have not been kept: when is in GPIOR1 and GPIOR2
  PANICKED,  // the panic input was active, and no output moves any more
};
#define ONE_INSTRUCTION inline __attribute__((always_inline))  // or an interrupt may come between reading and writing
ONE_INSTRUCTION bool is(Flag flag) { return GPIOR0 & _BV(flag); }
ONE_INSTRUCTION void raise(Flag flag) { GPIOR0 |= _BV(flag); }
ONE_INSTRUCTION void lower(Flag flag) { GPIOR0 &= ~_BV(flag); }

}  // namespace hal
