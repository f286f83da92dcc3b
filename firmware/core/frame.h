// SPDX-License-Identifier: BSD-3-Clause
//
// Frames: COBS with a zero at the end, CRC-16 inside.

#pragma once

#include <stdint.h>

#include "limits.h"

namespace frame {

// Undoes COBS byte by byte, and says when a good payload is complete.
class Deframer {
 public:
  // Take the bytes that have come, up to the end of a good frame; return the length of its payload, or 0.
  uint8_t read();

  uint8_t* payload() { return bytes_; }

  // How many frames were damaged; what follows the code of a good one may be damage all the same.
  uint16_t damaged;

  void count_damage();

 private:
  uint8_t finish(uint8_t length, uint8_t left);

  uint8_t bytes_[limits::FRAME_BYTES];
  uint8_t length_;  // TOO_LONG when there was no room for all of it
  uint8_t left_;    // bytes up to the next code of the frame, that one included; 0: no frame has begun
};

// The bytes that a payload of so many takes on the wire.
constexpr uint8_t framed_size(uint8_t payload) { return payload + 4; }

// Frame a payload and send it; there must be room.
void send(const void* payload, uint8_t count);

}  // namespace frame
