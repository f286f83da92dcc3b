// SPDX-License-Identifier: BSD-3-Clause
//
// What a target gives the core besides core/hal.h: how long it takes for some things, what keeps others from coming in
// between, what lies in flash, the CRC.

#pragma once

#include <avr/interrupt.h>
#include <avr/pgmspace.h>
#include <stddef.h>
#include <stdint.h>
#include <util/crc16.h>

#include "flags.h"

// Of variables: in flash; in memory that a reset leaves alone, as long as the chip has power.
#define TARGET_IN_FLASH PROGMEM
#define TARGET_RETAINED __attribute__((section(".noinit")))

namespace target {

// Ticks: how long before its tick it is found out whether an event can be executed, and how much longer if two are due
// on it; how long it takes from deciding on something to having it prepared. Measured: docs/decisions/one-build.md.
constexpr uint8_t LEAD = 64, LEAD_OF_TWO = 22;
constexpr uint16_t HEAD_START = 600;

inline void read_flash(void* to, const void* from, size_t size) { memcpy_P(to, from, size); }

// One byte more of a CRC-16, polynomial 0x1021, high bit first.
inline uint16_t crc_add(uint16_t sum, uint8_t byte) { return _crc_xmodem_update(sum, byte); }

}  // namespace target

namespace hal {

// Keeps interrupts off, for a few microseconds.
class InterruptsOff {
 public:
  InterruptsOff() : before_(SREG) { cli(); }
  ~InterruptsOff() {
    asm volatile("" ::: "memory");  // what was written is in memory before
    SREG = before_;
  }
  InterruptsOff(const InterruptsOff&) = delete;
  InterruptsOff& operator=(const InterruptsOff&) = delete;

 private:
  uint8_t before_;
};

inline void lock_scheduler() {
  raise(BUSY);
  asm volatile("" ::: "memory");
}

}  // namespace hal
