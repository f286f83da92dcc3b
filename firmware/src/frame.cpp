// SPDX-License-Identifier: BSD-3-Clause

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
  uint16_t sum = crc::of(bytes, count);
  uint8_t tail[2] = {static_cast<uint8_t>(sum), static_cast<uint8_t>(sum >> 8)};
  uint8_t size = count + 2;
  auto at = [&](uint8_t place) { return place < count ? bytes[place] : tail[place - count]; };
  for (uint8_t start = 0; start <= size;) {
    uint8_t end = start;
    while (end < size && at(end)) end++;
    hal::send(end - start + 1);
    for (; start < end; start++) hal::send(at(start));
    start++;
  }
  hal::send(0);
}

}  // namespace frame
