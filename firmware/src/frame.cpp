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

namespace {

// A frame that is being drafted. The code of a group of bytes without zeros is known when it ends.
struct Draft {
  uint8_t code_at = hal::draft(0), length = 1;

  inline void add(uint8_t byte) {
    if (byte) {
      hal::draft(byte);
      length++;
    } else {
      end();
      code_at = hal::draft(0);
      length = 1;
    }
  }
  void end() { hal::correct(code_at, length); }
};

}  // namespace

void send(const void* payload, uint8_t count) {
  const uint8_t* bytes = static_cast<const uint8_t*>(payload);
  Draft draft;
  uint16_t sum = wire::CRC_START;
  uint8_t left = count + 2;
  while (left--) {
    uint8_t byte;
    if (left >= 2) {
      byte = *bytes++;
      sum = crc::add(sum, byte);
    } else {
      if (left) sum ^= wire::CRC_XOR;
      byte = left ? sum & 0xFF : sum >> 8;
    }
    draft.add(byte);
  }
  draft.end();
  hal::draft(0);
  hal::send();
}

}  // namespace frame
