// SPDX-License-Identifier: BSD-3-Clause
//
// What the core needs from a target besides core/hal.h. On the host code takes no time, so the delays are 0. Interrupts
// run only between calls of the tests, so InterruptsOff does nothing. The Makefile sets CHIP_LIMITS to the header with
// the limits of one chip.

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include CHIP_LIMITS

#define TARGET_IN_FLASH
#define TARGET_RETAINED

namespace target {

constexpr uint8_t STAMP_LAG = 0, PIN_DELAY = 0;

inline void memory_barrier() {}

inline void read_flash(void* to, const void* from, size_t size) { memcpy(to, from, size); }

// Return a CRC-16 (polynomial 0x1021, high bit first) extended by one byte.
inline uint16_t crc_add(uint16_t sum, uint8_t byte) {
  sum = static_cast<uint16_t>(sum >> 8 | sum << 8);
  sum ^= byte;
  sum ^= (sum & 0xFF) >> 4;
  sum ^= static_cast<uint16_t>(sum << 12);
  sum ^= static_cast<uint16_t>((sum & 0xFF) << 5);
  return sum;
}

}  // namespace target

namespace hal {

class InterruptsOff {
 public:
  InterruptsOff() {}
  ~InterruptsOff() {}
  InterruptsOff(const InterruptsOff&) = delete;
  InterruptsOff& operator=(const InterruptsOff&) = delete;
};

void lock_scheduler();

}  // namespace hal
