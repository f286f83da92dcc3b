// SPDX-License-Identifier: BSD-3-Clause
//
// Searches in the tables of reflex groups and of sequences. A slot is an index in such a table; a number is the host's.

#pragma once

#include <stdint.h>

#include "limits.h"

namespace slots {

// Return the slot that is in use with this number, or NONE.
template <typename Slot, uint8_t SIZE>
uint8_t find(const Slot (&table)[SIZE], uint8_t number) {
  for (uint8_t slot = 0; slot < SIZE; slot++) {
    if (table[slot].used && table[slot].number == number) return slot;
  }
  return limits::NONE;
}

// Return the first slot that is not in use, or NONE.
template <typename Slot, uint8_t SIZE>
uint8_t find_free(const Slot (&table)[SIZE]) {
  for (uint8_t slot = 0; slot < SIZE; slot++) {
    if (!table[slot].used) return slot;
  }
  return limits::NONE;
}

}  // namespace slots
