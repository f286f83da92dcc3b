// SPDX-License-Identifier: BSD-3-Clause

#include "action.h"

#include <string.h>

#include "ticks.h"

static_assert(sizeof(Train) == sizeof(wire::OrderTrain) - 2 && sizeof(Ramp) == sizeof(wire::OrderRamp) - 2 &&
                  sizeof(Tone) == sizeof(wire::OrderTone) - 2 && sizeof(At) == sizeof(wire::OrderStartAt) - 1,
              "the bodies lie in memory as they travel");

void read_deed(const uint8_t* order, Deed& deed) {
  uint8_t code = order[0], channel = 0;
  uint8_t body_at = 2;
  switch (code) {
    case wire::ORDER_SET:
      channel = order[1] & ~wire::LEVEL;
      deed.body.level = order[1] >> 7;
      break;
    case wire::ORDER_PULSE:
    case wire::ORDER_TRAIN:
    case wire::ORDER_TONE:
    case wire::ORDER_RAMP:
      channel = order[1];
      break;
    default:
      body_at = 1;
  }
  deed.code = code;
  deed.channel = channel < limits::CHANNELS ? channel : limits::NO_CHANNEL;
  if (code != wire::ORDER_SET) memcpy(&deed.body, order + body_at, wire::order_size(code) - body_at);
}

uint32_t Deed::on_ticks() const {
  switch (code) {
    case wire::ORDER_TONE: return body.tone.ticks;
    case wire::ORDER_RAMP: return ticks::of_ms(body.ramp.tone_ms);
    default: return body.train.on;
  }
}

// Where a train or a ramp has no gap between its pulses, all of them are one opening.
uint32_t Deed::longest_on() const {
  if (code == wire::ORDER_PULSE) return body.train.on;
  uint32_t on = on_ticks(), period;
  uint16_t count;
  if (code == wire::ORDER_TRAIN) {
    period = body.train.period;
    count = body.train.count;
  } else if (code == wire::ORDER_RAMP) {
    period = ticks::of_ms(body.ramp.period_ms);
    count = body.ramp.count;
  } else {
    return on;
  }
  if (period > on || count <= 1) return count ? on : 0;
  return on > 0xFFFFFFFF / count ? 0xFFFFFFFF : on * count;
}

// A train without gaps is one pulse: nothing happens to its pin in between.
bool Deed::is_seamless() const {
  return code == wire::ORDER_TRAIN && body.train.period <= body.train.on;
}

bool Deed::does_nothing() const {
  return (code == wire::ORDER_TRAIN && !body.train.count) ||
         (code == wire::ORDER_RAMP && !body.ramp.count);
}

bool Deed::too_high() const {
  if (code == wire::ORDER_TONE) return body.tone.hz > limits::HIGHEST_HZ;
  if (code != wire::ORDER_RAMP) return false;
  const Ramp& ramp = body.ramp;
  int32_t end = ramp.hz + static_cast<int32_t>(ramp.step_hz) * (ramp.count ? ramp.count - 1 : 0);
  return ramp.hz > limits::HIGHEST_HZ || end > limits::HIGHEST_HZ || end < -static_cast<int32_t>(limits::HIGHEST_HZ);
}
