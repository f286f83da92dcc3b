// SPDX-License-Identifier: BSD-3-Clause
//
// What the core needs from a target besides core/hal.h: the limits of the chip, its delays, critical sections, data in
// flash, and the CRC.

#pragma once

#include <avr/interrupt.h>
#include <avr/pgmspace.h>
#include <stddef.h>
#include <stdint.h>
#include <util/crc16.h>

#if defined(__AVR_ATmega328P__)
#include "limits_uno.h"
#elif defined(__AVR_ATmega2560__)
#include "limits_mega.h"
#else
#error "targets/avr knows the ATmega328P and the ATmega2560"
#endif

// Place a variable in flash; read it with read_flash.
#define TARGET_IN_FLASH PROGMEM

// Place a variable in RAM that startup does not clear: it keeps its value through a reset, but not without power.
#define TARGET_RETAINED __attribute__((section(".noinit")))

namespace target {

// The stamp of a change is late by at most this many ticks (80 us): interrupts are disabled for at most 50 us without a
// poll of the pins (`rig board bench`), and the rest is a margin.
constexpr uint8_t STAMP_LAG = 160;

// The chip changes a pin after the change is due, by 5 to 16 us in most cases. Sync codes start this many ticks (10 us)
// early, so that their edges lie on both sides of the times that the host computes.
constexpr uint8_t PIN_DELAY = 20;

// Let the compiler move no access to memory across this.
inline void memory_barrier() { asm volatile("" ::: "memory"); }

inline void read_flash(void* to, const void* from, size_t size) { memcpy_P(to, from, size); }

// Return a CRC-16 (polynomial 0x1021, high bit first) extended by one byte.
inline uint16_t crc_add(uint16_t sum, uint8_t byte) { return _crc_xmodem_update(sum, byte); }

}  // namespace target

namespace hal {

// Bits of GPIOR0, which interrupts, the scheduler and the main loop share. One instruction (SBI, CBI, SBIS, SBIC) sets,
// clears or tests a bit of an I/O register below 0x20, so no interrupt can come in between. ATmega328P datasheet, 8.5
// (I/O Memory); ATmega2560, chapter 8.
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

// Disables interrupts for its lifetime, then restores their previous state. Code that keeps it for longer than a few
// microseconds must call poll, or edges get late timestamps.
class InterruptsOff {
 public:
  InterruptsOff() : before_(SREG) { cli(); }
  ~InterruptsOff() {
    target::memory_barrier();  // the compiler must not move a memory access behind the next line
    SREG = before_;
  }
  InterruptsOff(const InterruptsOff&) = delete;
  InterruptsOff& operator=(const InterruptsOff&) = delete;

 private:
  uint8_t before_;
};

// Postpone scheduler runs until unlock_scheduler. Only the main loop calls this, through SchedulerLock.
inline void lock_scheduler() {
  set(SCHEDULER_BUSY);
  target::memory_barrier();
}

}  // namespace hal
