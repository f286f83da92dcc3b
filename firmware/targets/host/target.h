// SPDX-License-Identifier: BSD-3-Clause
//
// What the core needs from a target besides core/hal.h. On the host code takes no time, so the delays are 0. Interrupts
// run only between calls of the tests, so InterruptsOff does nothing. The Makefile sets CHIP_LIMITS to the header with
// the limits of one chip.

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../crc.h"
#include CHIP_LIMITS

#define TARGET_IN_FLASH
#define TARGET_RETAINED

namespace target {

constexpr uint8_t STAMP_LAG = 0, PIN_DELAY = 0;

inline void memory_barrier() {}

inline void read_flash(void* to, const void* from, size_t size) { memcpy(to, from, size); }

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
