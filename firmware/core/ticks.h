// SPDX-License-Identifier: BSD-3-Clause
//
// The board's time: a 32-bit count of ticks of 0.5 us, which wraps after 36 minutes.

#pragma once

#include <stdint.h>

namespace ticks {

constexpr uint16_t TICK_NS = 500;
constexpr uint16_t PER_US = 1000 / TICK_NS;
constexpr uint16_t PER_MS = 1000 * PER_US;
constexpr uint32_t HORIZON = 1UL << 30;  // 9 minutes; the timer queue splits longer spans, so before() stays valid

// Return whether time `a` is before time `b`. The difference must be below 2^31 ticks (18 minutes). Do not compare
// times with <, which is wrong if the clock wraps between them.
inline bool before(uint32_t a, uint32_t b) { return static_cast<int32_t>(a - b) < 0; }

inline uint32_t of_ms(uint16_t ms) { return static_cast<uint32_t>(ms) * PER_MS; }

}  // namespace ticks
