// SPDX-License-Identifier: BSD-3-Clause
//
// The CRC-16 of a frame: polynomial 0x1021, most significant bit first, computed without a table.

#pragma once

#include <stdint.h>

#include "messages.h"
#include "target.h"

namespace crc {

// Return the CRC of `count` bytes, including the final inversion.
inline uint16_t of(const uint8_t* bytes, uint8_t count) {
  uint16_t sum = wire::CRC_START;
  while (count--) sum = target::crc_add(sum, *bytes++);
  return sum ^ wire::CRC_XOR;
}

}  // namespace crc
