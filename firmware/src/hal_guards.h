// SPDX-License-Identifier: BSD-3-Clause
//
// What keeps others from coming in between, for as long as it lasts. On an AVR it begins with one instruction, which
// a call would hide behind ten.

#pragma once

#include <stdint.h>

#ifdef __AVR__
#include <avr/interrupt.h>

#include "hal_avr.h"
#define WITHOUT_A_CALL inline __attribute__((always_inline))
#else
#define WITHOUT_A_CALL inline
#endif

namespace hal {

// Keeps interrupts off, for a few microseconds.
class Pause {
 public:
#ifdef __AVR__
  WITHOUT_A_CALL Pause() : before_(SREG) { cli(); }
  WITHOUT_A_CALL ~Pause() {
    asm volatile("" ::: "memory");  // what was written is in memory before
    SREG = before_;
  }
#else
  Pause() {}
  ~Pause() {}
#endif
  Pause(const Pause&) = delete;
  Pause& operator=(const Pause&) = delete;

#ifdef __AVR__
 private:
  uint8_t before_;
#endif
};

// Puts chip::service off.
#ifdef __AVR__
WITHOUT_A_CALL void lock() {
  raise(BUSY);
  asm volatile("" ::: "memory");
}
#else
void lock();
#endif
void unlock();

class Lock {
 public:
  WITHOUT_A_CALL Lock() { lock(); }
  WITHOUT_A_CALL ~Lock() { unlock(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

}  // namespace hal
