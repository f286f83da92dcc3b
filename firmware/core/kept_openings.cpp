// SPDX-License-Identifier: BSD-3-Clause

#include "kept_openings.h"

#include <string.h>

#include "hal.h"
#include "ticks.h"

namespace kept_openings {

namespace {

// An opening. It takes 11 bytes on an Uno, 12 on a Mega.
struct Record {
  uint32_t ticks : 28;  // its length, or OPEN or CUT
  uint32_t channel : limits::CHANNEL_BITS;
  uint8_t epoch;  // in which it began
  Cause cause;
  uint32_t stamp;  // when it began
};
constexpr uint32_t OPEN = (1UL << 28) - 1;  // in place of a length: the output is still on
constexpr uint32_t CUT = OPEN - 1;          // in place of a length: a reset ended the opening
static_assert(limits::LONGEST_ON_MS * ticks::PER_MS < CUT / 2, "the longest opening is far below OPEN and CUT");
static_assert(0x10000 % limits::OPENINGS == 0, "the indices in `records` continue where `count` wraps");

// A reset leaves these variables alone. Opening number n is records[n % OPENINGS].
Record records[limits::OPENINGS] TARGET_RETAINED;
volatile uint16_t count TARGET_RETAINED;  // the number of the latest opening
volatile uint8_t kept TARGET_RETAINED;    // how many records are valid

Record& record_at(uint8_t age) {
  uint16_t number = count - age;
  return records[number % limits::OPENINGS];
}

}  // namespace

void clear() { count = kept = 0; }

void mark_cut() {
  for (uint8_t age = 0; age < kept; age++) {
    Record& record = record_at(age);
    if (record.ticks == OPEN) record.ticks = CUT;
  }
}

// A reset may come between any two instructions. So `kept` is lowered before the oldest record is overwritten, and
// raised after the new one is complete; barriers keep the compiler from moving the writes of the record across that.
void begin(uint8_t channel, uint32_t at, Cause cause) {
  if (kept == limits::OPENINGS) kept = limits::OPENINGS - 1;  // the new record overwrites the oldest one
  uint16_t number = count + 1;
  Record& record = records[number % limits::OPENINGS];
  target::memory_barrier();
  record.channel = channel;
  record.ticks = OPEN;
  record.epoch = hal::last_epoch();
  record.cause = cause;
  record.stamp = at;
  target::memory_barrier();
  count = number;
  kept = kept + 1;
}

void end(uint8_t channel, uint32_t at) {
  for (uint8_t age = 0; age < kept; age++) {
    Record& record = record_at(age);
    if (record.channel != channel || record.ticks != OPEN) continue;
    record.ticks = ticks::before(at, record.stamp) ? 0 : at - record.stamp;
    return;
  }
}

void describe(uint8_t age, uint32_t now, wire::Opening& opening) {
  memset(&opening, 0, sizeof(opening));
  opening.code = wire::CODE_OPENING;
  opening.place = age;
  opening.kept = kept;
  if (age >= kept) return;
  const Record& record = record_at(age);
  opening.number = count - age;
  opening.channel = record.channel;
  opening.epoch = record.epoch;
  opening.cause = record.cause.kind();
  opening.by = record.cause.by;
  opening.part = record.cause.part();
  opening.stamp = record.stamp;
  if (record.ticks == OPEN) {
    opening.flags = wire::OPENING_OPEN;
    opening.ticks = now - record.stamp;
  } else if (record.ticks == CUT) {
    opening.flags = wire::OPENING_CUT;
  } else {
    opening.ticks = record.ticks;
  }
}

}  // namespace kept_openings
