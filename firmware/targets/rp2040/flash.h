// SPDX-License-Identifier: BSD-3-Clause
//
// The flash chip beside the RP2040, over its serial interface (4.10, SSI): its unique number, and one sector that
// counts power-ons. The program runs from RAM, so nothing else reads the chip.

#pragma once

#include <stdint.h>

namespace flash {

// Read the count, and the chip's number, which is never 0. Call this once, at the start, while the system clock is
// still slow: boot2 lets the flash be read at half of it.
void begin();

uint32_t unique_id();

// Return the eight bytes of the chip's number, of which the id is a hash.
const uint8_t* number();

// Return how often `count_power_on` was called, modulo COUNTS; or count once more.
constexpr uint16_t COUNTS = 0x8000;
uint16_t power_ons();
void count_power_on();

}  // namespace flash
