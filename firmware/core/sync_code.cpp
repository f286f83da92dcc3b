// SPDX-License-Identifier: BSD-3-Clause

#include "sync_code.h"

namespace {

constexpr uint8_t START_BITS = 2, MAX_BITS = 32;
constexpr uint32_t STEP = 0x9E3779B9;

// The 32-bit finalizer of MurmurHash3 (Appleby 2011).
uint32_t finalize(uint32_t word) {
  word ^= word >> 16;
  word *= 0x85EBCA6B;
  word ^= word >> 13;
  word *= 0xC2B2AE35;
  return word ^ word >> 16;
}

}  // namespace

bool Code::is_valid() const {
  return bit_ms && bits <= MAX_BITS && static_cast<uint32_t>(START_BITS + bits) * bit_ms <= period_ms;
}

uint16_t Code::next_change(bool on) {
  uint32_t word = finalize(state);
  uint8_t begun = place, left = START_BITS + bits - place;  // bits up to the end of the code
  bool level = on;
  while (level == on && left) {
    left--;
    place++;
    // Behind the start bit the output is off, as it is behind the last bit.
    level = place >= START_BITS && left && word >> (left - 1) & 1;
  }
  if (level != on) return (place - begun) * bit_ms;
  state += STEP;
  place = 0;
  return period_ms - begun * bit_ms;
}
