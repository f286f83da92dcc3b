// SPDX-License-Identifier: BSD-3-Clause

#include "openings.h"

#include <string.h>

#include "hal.h"
#include "limits.h"
#include "target.h"
#include "ticks.h"

namespace openings {

namespace {

struct __attribute__((packed)) Record {
  uint32_t ticks : 28;  // how long, or one of those below
  uint32_t channel : limits::CHANNEL_BITS;
  uint8_t epoch;
  uint32_t stamp;
};
constexpr uint32_t OPEN = (1UL << 28) - 1, CUT = OPEN - 1;
static_assert(limits::LONGEST_ON_MS * ticks::PER_MS < CUT / 2, "no dangerous output is on for so long");
static_assert(0x10000 % limits::OPENINGS == 0, "the count may wrap");

Record records[limits::OPENINGS] TARGET_RETAINED;
uint16_t count TARGET_RETAINED;         // the number of the latest
volatile uint8_t kept TARGET_RETAINED;  // a reset may come between any two lines

Record& record_at(uint8_t place) {
  uint16_t number = count - place;
  return records[number % limits::OPENINGS];
}

}  // namespace

void forget() { count = kept = 0; }

void cut() {
  for (uint8_t place = 0; place < kept; place++) {
    Record& record = record_at(place);
    if (record.ticks == OPEN) record.ticks = CUT;
  }
}

void begin(uint8_t channel, uint32_t at) {
  if (kept == limits::OPENINGS) kept = limits::OPENINGS - 1;  // the oldest is written over
  Record& record = records[(count + 1) % limits::OPENINGS];
  record.channel = channel;
  record.ticks = OPEN;
  record.epoch = hal::last_epoch();
  record.stamp = at;
  count++;
  kept = kept + 1;
}

void end(uint8_t channel, uint32_t at) {
  for (uint8_t place = 0; place < kept; place++) {
    Record& record = record_at(place);
    if (record.channel != channel || record.ticks != OPEN) continue;
    record.ticks = at - record.stamp;
    return;
  }
}

wire::Opening at(uint8_t place, uint32_t now) {
  wire::Opening opening;
  memset(&opening, 0, sizeof(opening));
  opening.code = wire::CODE_OPENING;
  opening.place = place;
  opening.kept = kept;
  if (place >= kept) return opening;
  const Record& record = record_at(place);
  opening.number = count - place;
  opening.channel = record.channel;
  opening.epoch = record.epoch;
  opening.stamp = record.stamp;
  if (record.ticks == OPEN) {
    opening.flags = wire::OPENING_OPEN;
    opening.ticks = now - record.stamp;
  } else if (record.ticks == CUT) {
    opening.flags = wire::OPENING_CUT;
  } else {
    opening.ticks = record.ticks;
  }
  return opening;
}

}  // namespace openings
