// SPDX-License-Identifier: BSD-3-Clause
//
// The checksum of frames, for targets whose library has none.

#pragma once

#include <stdint.h>

namespace target {

// Return a CRC-16 (polynomial 0x1021, high bit first) extended by one byte.
inline uint16_t crc_add(uint16_t sum, uint8_t byte) {
  sum = static_cast<uint16_t>(sum >> 8 | sum << 8);
  sum ^= byte;
  sum ^= (sum & 0xFF) >> 4;
  sum ^= static_cast<uint16_t>(sum << 12);
  sum ^= static_cast<uint16_t>((sum & 0xFF) << 5);
  return sum;
}

}  // namespace target
