// SPDX-License-Identifier: BSD-3-Clause
//
// This header defines the flags that interrupts, the scheduler and the main loop share.

#pragma once

#include <avr/io.h>
#include <stdint.h>

namespace hal {

// Bits of GPIOR0. One instruction (SBI, CBI, SBIS, SBIC) sets, clears or tests a bit of an I/O register below 0x20, so
// no interrupt can come in between. ATmega328P datasheet, 8.5 (I/O Memory); ATmega2560, chapter 8.
enum Flag : uint8_t {
  SCHEDULER_BUSY,       // the scheduler is running, or the main loop has locked it
  SCHEDULER_REQUESTED,  // an interrupt has come while the scheduler was busy
  SCHEDULER_YIELDED,    // the scheduler has yielded to the main loop
  TIMER_WRAPPED,        // timer 1 has wrapped since the main loop last slept
  PANICKED,             // the panic input was active: no output changes until forget_panic
};
// Those instructions need a constant bit, so these functions must always be inlined.
#define ALWAYS_INLINE inline __attribute__((always_inline))
ALWAYS_INLINE bool is_set(Flag flag) { return GPIOR0 & _BV(flag); }
ALWAYS_INLINE void set(Flag flag) { GPIOR0 |= _BV(flag); }
ALWAYS_INLINE void clear(Flag flag) { GPIOR0 &= ~_BV(flag); }

}  // namespace hal
