// SPDX-License-Identifier: BSD-3-Clause
//
// Frames: a payload and its CRC-16 in COBS code, followed by a zero byte. Only the main loop calls these functions.

#pragma once

#include <stdint.h>

#include "limits.h"

namespace frame {

// Return the CRC-16 of `count` bytes, including the final inversion.
uint16_t crc(const uint8_t* bytes, uint8_t count);

// Decodes frames. A payload is shorter than 254 bytes, so every COBS group ends in a zero byte.
class Deframer {
 public:
  // Read received bytes up to the end of a valid frame. Return the length of its payload, or 0 if there is none yet.
  uint8_t read();

  // The payload of the last valid frame. The next read() overwrites it.
  uint8_t* payload() { return bytes_; }

  // The number of damaged frames since OPEN. It stops at its largest value. board.cpp also counts a valid frame of a
  // wrong length.
  uint16_t damaged;
  void count_damage();

 private:
  uint8_t finish(uint8_t length, uint8_t left);

  uint8_t bytes_[limits::FRAME_BYTES];
  uint8_t length_;  // the number of decoded bytes, or TOO_LONG if they do not fit `bytes_`
  uint8_t left_;    // the number of bytes up to and including the next COBS code; 0 before a frame's first byte
};

// View bytes as a message or an order. Both are packed structs, which need no alignment; the firmware is compiled with
// -fno-strict-aliasing.
template <typename T>
const T& as(const uint8_t* bytes) {
  return *reinterpret_cast<const T*>(bytes);
}

// Return the length on the wire of a payload of this length: a COBS code, the payload, the CRC and a zero byte.
constexpr uint8_t framed_size(uint8_t payload) { return payload + 4; }

// Send a payload as a frame. The caller has checked that the send ring has framed_size(count) free bytes.
void send(const void* payload, uint8_t count);

}  // namespace frame
