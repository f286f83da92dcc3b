// SPDX-License-Identifier: BSD-3-Clause

#include "action.h"

#include <stddef.h>
#include <string.h>

#include "ticks.h"

// The last parameter of each kind lies as far behind the head of its order on the wire.
static_assert(offsetof(Train, count) == offsetof(wire::OrderTrain, count) - 2 &&
                  offsetof(Ramp, count) == offsetof(wire::OrderRamp, count) - 2 &&
                  offsetof(Tone, ticks) == offsetof(wire::OrderTone, ticks) - 2 &&
                  offsetof(At, stamp) == offsetof(wire::OrderStartAt, stamp) - 1 &&
                  offsetof(Code, bits) == offsetof(wire::OrderCode, bits) - 2,
              "the parameters have the same layout in RAM as on the wire");

namespace {

// Return a product, or the largest value where it overflows.
uint32_t multiply(uint32_t ticks, uint16_t count) { return ticks > 0xFFFFFFFF / count ? 0xFFFFFFFF : ticks * count; }

constexpr uint8_t START_BITS = 2, MAX_BITS = 32;
constexpr uint32_t STEP = 0x9E3779B9;

// The 32-bit finalizer of MurmurHash3 (Appleby 2011).
uint32_t finalize(uint32_t word) {
  word ^= word >> 16;
  word *= 0x85EBCA6B;
  word ^= word >> 13;
  word *= 0xC2B2AE35;
  return word ^ word >> 16;
}

}  // namespace

void read_action(const uint8_t* order, Action& action) {
  uint8_t code = order[0], channel = 0;
  uint8_t params_at = 2;
  switch (code) {
    case wire::ORDER_SET:
      channel = order[1] & ~wire::LEVEL;
      action.params.level = order[1] >> 7;
      break;
    case wire::ORDER_PULSE:
    case wire::ORDER_TRAIN:
    case wire::ORDER_TONE:
    case wire::ORDER_RAMP:
    case wire::ORDER_CODE: channel = order[1]; break;
    default: params_at = 1;
  }
  action.code = code;
  action.channel = channel < limits::CHANNELS ? channel : limits::NO_CHANNEL;
  const uint8_t size = wire::order_size(code) - params_at;
  if (code != wire::ORDER_SET) memcpy(&action.params, order + params_at, size);
  Train& train = action.params.train;
  if (code == wire::ORDER_TRAIN && train.count && train.period <= train.on) {
    action.code = wire::ORDER_PULSE;
    train.on = multiply(train.on, train.count);
  }
}

uint32_t Action::on_ticks() const {
  switch (code) {
    case wire::ORDER_TONE: return params.tone.ticks;
    case wire::ORDER_RAMP: return ticks::of_ms(params.ramp.tone_ms);
    default: return params.train.on;
  }
}

uint32_t Action::longest_on_ticks() const {
  if (code == wire::ORDER_PULSE) return params.train.on;
  if (is_empty()) return 0;
  const Ramp& ramp = params.ramp;
  bool has_gaps = code != wire::ORDER_RAMP || ramp.period_ms > ramp.tone_ms;
  return has_gaps ? on_ticks() : multiply(on_ticks(), ramp.count);
}

bool Action::is_empty() const {
  return (code == wire::ORDER_TRAIN && !params.train.count) || (code == wire::ORDER_RAMP && !params.ramp.count);
}

bool Action::is_too_high() const {
  if (code == wire::ORDER_TONE) return params.tone.hz > limits::HIGHEST_HZ;
  if (code != wire::ORDER_RAMP) return false;
  const Ramp& ramp = params.ramp;
  // The first tone and the last one bound all others. A ramp may go down to 0 Hz and below, where it is silent.
  int32_t end = ramp.hz + static_cast<int32_t>(ramp.step_hz) * (ramp.count ? ramp.count - 1 : 0);
  return ramp.hz > limits::HIGHEST_HZ || end > limits::HIGHEST_HZ || end < -static_cast<int32_t>(limits::HIGHEST_HZ);
}

bool Code::is_valid() const {
  return bit_ms && bits <= MAX_BITS && static_cast<uint32_t>(START_BITS + bits) * bit_ms <= period_ms;
}

uint16_t Code::next_change(bool on) {
  uint32_t word = finalize(state);
  uint8_t begun = place, left = START_BITS + bits - place;  // bits up to the end of the code
  bool level = on;
  while (level == on && left) {
    left--;
    place++;
    // Behind the start bit the output is off, as it is behind the last bit.
    level = place >= START_BITS && left && word >> (left - 1) & 1;
  }
  if (level != on) return (place - begun) * bit_ms;
  state += STEP;
  place = 0;
  return period_ms - begun * bit_ms;
}
