// SPDX-License-Identifier: BSD-3-Clause
//
// The sync code: when an output that sends one changes. rig/core/model/sync_code.py computes the same.

#pragma once

#include <stdint.h>

// The parameters of a sync code, and how far it is. Times are milliseconds.
struct __attribute__((packed)) Code {
  uint32_t state;  // its finalizer is the word of the current code
  uint16_t period_ms, bit_ms;
  uint8_t bits;
  uint8_t place;  // the bit in which the output changed last, or will change first; the start bit is 0

  // Return whether a code has at most 32 bits and is not longer than its period.
  bool is_valid() const;

  // Return the milliseconds from the change at `place`, after which the output is `on`, to the next one, and go there.
  uint16_t next_change(bool on);
};
