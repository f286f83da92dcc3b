// SPDX-License-Identifier: BSD-3-Clause
//
// What the core needs from a target besides core/hal.h: the limits of the chip, its delays, critical sections, data in
// flash, and the CRC. The program runs from RAM, so data in flash are data like others.

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../crc.h"
#include "limits_pico.h"

#define TARGET_IN_FLASH

// Place a variable in RAM that startup does not clear: it keeps its value through a reset, but not without power.
#define TARGET_RETAINED __attribute__((section(".retained")))

namespace target {

// The stamp of a change is late by at most this many ticks (10 us): that of the pins is the only interrupt that waits
// for others, and each takes a few microseconds.
constexpr uint8_t STAMP_LAG = 20;

// The chip changes a pin after the change is due, by about 2 us.
constexpr uint8_t PIN_DELAY = 4;

// Let the compiler move no access to memory across this.
inline void memory_barrier() { asm volatile("" ::: "memory"); }

inline void read_flash(void* to, const void* from, size_t size) { memcpy(to, from, size); }

}  // namespace target

namespace hal {

inline void interrupts_off() { asm volatile("cpsid i" ::: "memory"); }
inline void interrupts_on() { asm volatile("cpsie i\n isb" ::: "memory"); }

// Disables interrupts for its lifetime, then restores their previous state.
class InterruptsOff {
 public:
  InterruptsOff() { asm volatile("mrs %0, primask\n cpsid i" : "=r"(before_)::"memory"); }
  ~InterruptsOff() { asm volatile("msr primask, %0\n isb" ::"r"(before_) : "memory"); }
  InterruptsOff(const InterruptsOff&) = delete;
  InterruptsOff& operator=(const InterruptsOff&) = delete;

 private:
  uint32_t before_;
};

// Postpone scheduler runs until unlock_scheduler. Only the main loop calls this, through SchedulerLock.
extern volatile bool scheduler_locked;
inline void lock_scheduler() {
  scheduler_locked = true;
  target::memory_barrier();
}

}  // namespace hal
