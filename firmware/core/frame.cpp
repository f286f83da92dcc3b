// SPDX-License-Identifier: BSD-3-Clause

#include "frame.h"

#include "hal.h"
#include "messages.h"

namespace frame {

static constexpr uint8_t TOO_LONG = 0xFF;
static_assert(limits::FRAME_BYTES < TOO_LONG, "TOO_LONG is not a length");

uint16_t crc(const uint8_t* bytes, uint8_t count) {
  uint16_t sum = wire::CRC_START;
  while (count--) sum = target::crc_add(sum, *bytes++);
  return sum ^ wire::CRC_XOR;
}

// This runs for every byte, so the fields are copied to locals, which the compiler keeps in registers.
uint8_t Deframer::read() {
  uint8_t length = length_, left = left_, found = 0;
  for (int16_t next; !found && (next = hal::receive()) >= 0;) {
    uint8_t byte = next;
    if (byte == 0) {
      found = finish(length, left);
      length = left = 0;
      continue;
    }
    if (left == 0) {
      left = byte;
      continue;
    }
    if (--left == 0) {
      left = byte;
      byte = 0;  // a COBS code stands for the zero byte before its group
    }
    if (length < sizeof(bytes_)) {
      bytes_[length++] = byte;
    } else {
      length = TOO_LONG;
    }
  }
  length_ = length;
  left_ = left;
  return found;
}

inline uint8_t Deframer::finish(uint8_t length, uint8_t left) {
  if (left == 0) return 0;  // two zero bytes in a row: no frame in between
  bool good = left == 1 && length > 2 && length != TOO_LONG;
  if (good) {
    length -= 2;
    uint16_t sum = crc(bytes_, length);
    good = bytes_[length] == (sum & 0xFF) && bytes_[length + 1] == sum >> 8;
  }
  if (good) return length;
  count_damage();
  return 0;
}

void Deframer::count_damage() {
  if (damaged != 0xFFFF) damaged++;
}

namespace {

// Writes COBS groups into the send ring. The code of a group is its length, which is known only at its end; so add()
// reserves a byte for it, and end() writes it.
struct CobsEncoder {
  uint8_t code_at = hal::reserve_byte(0), length = 1;

  void add(uint8_t byte) {
    if (byte) {
      hal::reserve_byte(byte);
      length++;
    } else {
      end();
      code_at = hal::reserve_byte(0);
      length = 1;
    }
  }
  void end() { hal::send_ring[code_at] = length; }
};

}  // namespace

void send(const void* payload, uint8_t count) {
  const uint8_t* bytes = static_cast<const uint8_t*>(payload);
  CobsEncoder encoder;
  for (uint8_t index = 0; index < count; index++) encoder.add(bytes[index]);
  uint16_t sum = crc(bytes, count);
  encoder.add(sum & 0xFF);
  encoder.add(sum >> 8);
  encoder.end();
  hal::reserve_byte(0);
  hal::send();
}

}  // namespace frame
