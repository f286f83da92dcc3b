// SPDX-License-Identifier: BSD-3-Clause

#include "hot.h"

#include "frame.h"

#include "crc.h"
#include "hal.h"

namespace frame {

uint8_t Deframer::feed(uint8_t byte) {
  if (byte == 0) return finish();
  if (!begun_) {
    begun_ = true;
    left_ = byte - 1;
  } else if (left_ == 0) {
    take(0);
    left_ = byte - 1;
  } else {
    take(byte);
    left_--;
  }
  return 0;
}

void Deframer::take(uint8_t byte) {
  if (length_ < sizeof(bytes_)) {
    bytes_[length_++] = byte;
  } else {
    bad_ = true;
  }
}

uint8_t Deframer::finish() {
  if (!begun_) return 0;
  uint8_t length = length_;
  bool good = !bad_ && left_ == 0 && length > 2;
  begun_ = bad_ = false;
  length_ = 0;
  if (good) {
    length -= 2;
    uint16_t sum = crc::of(bytes_, length);
    good = bytes_[length] == (sum & 0xFF) && bytes_[length + 1] == sum >> 8;
  }
  if (good) return length;
  count_damage();
  return 0;
}

void Deframer::count_damage() {
  if (damaged != 0xFFFF) damaged++;
}

void send(const void* payload, uint8_t count) {
  const uint8_t* bytes = static_cast<const uint8_t*>(payload);
  uint8_t code_at = hal::draft(0), length = 1;  // the code of a group is known when it ends
  auto add = [&](uint8_t byte) {
    if (byte) {
      hal::draft(byte);
      length++;
    } else {
      hal::correct(code_at, length);
      code_at = hal::draft(0);
      length = 1;
    }
  };
  uint16_t sum = wire::CRC_START;
  for (; count; count--, bytes++) {
    sum = crc::add(sum, *bytes);
    add(*bytes);
  }
  sum ^= wire::CRC_XOR;
  add(sum & 0xFF);
  add(sum >> 8);
  hal::correct(code_at, length);
  hal::draft(0);
  hal::send();
}

}  // namespace frame
