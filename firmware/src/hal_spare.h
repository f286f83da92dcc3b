// SPDX-License-Identifier: BSD-3-Clause
//
// Five bytes that are asked for all the time. An AVR keeps them in the compare registers of timers 0 and 2, which stand
// still, and in one of the two-wire bus, which is off: they take no memory there, and the first two are within reach of
// its fastest instructions.

#pragma once

#include <stdint.h>

#ifdef __AVR__
#include <avr/io.h>
#define SPARE(name, place)                                                                \
  struct name {                                                                           \
    __attribute__((always_inline)) operator uint8_t() const { return place; }             \
    __attribute__((always_inline)) void operator=(uint8_t value) const { place = value; } \
  };
#else
#define SPARE(name, place)                                  \
  struct name {                                             \
    operator uint8_t() const { return byte(); }             \
    void operator=(uint8_t value) const { byte() = value; } \
    static uint8_t& byte() {                                \
      static uint8_t only;                                  \
      return only;                                          \
    }                                                       \
  };
#endif

namespace hal {

SPARE(Spare1, OCR0A)
SPARE(Spare2, OCR0B)
SPARE(Spare3, OCR2A)
SPARE(Spare4, OCR2B)
SPARE(Spare5, TWBR)

}  // namespace hal
