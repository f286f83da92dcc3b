// SPDX-License-Identifier: BSD-3-Clause
//
// What a target gives the core besides core/hal.h. On the host nothing takes time, and an interrupt comes only when a
// test lets one come.

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TARGET_IN_FLASH
#define TARGET_RETAINED

namespace target {

constexpr uint8_t LEAD = 0, LEAD_OF_TWO = 0;
constexpr uint16_t HEAD_START = 0;

inline void read_flash(void* to, const void* from, size_t size) { memcpy(to, from, size); }

// One byte more of a CRC-16, polynomial 0x1021, high bit first.
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
