// SPDX-License-Identifier: BSD-3-Clause
//
// The board's time: half microseconds in 32 bits, which wrap after 36 minutes.

#pragma once

#include <stdint.h>

namespace ticks {

constexpr uint16_t TICK_NS = 500;
constexpr uint16_t PER_US = 1000 / TICK_NS;
constexpr uint16_t PER_MS = 1000 * PER_US;
constexpr uint32_t HORIZON = 1UL << 30;  // nothing is scheduled further ahead in one go

// Always compare times so: a plain < is wrong whenever the clock wraps in between.
inline bool before(uint32_t a, uint32_t b) { return static_cast<int32_t>(a - b) < 0; }

inline uint32_t of_ms(uint16_t ms) { return static_cast<uint32_t>(ms) * PER_MS; }

}  // namespace ticks
