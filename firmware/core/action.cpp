// SPDX-License-Identifier: BSD-3-Clause

#include "action.h"

#include <string.h>

#include "ticks.h"

static_assert(sizeof(Train) == sizeof(wire::OrderTrain) - 2 && sizeof(Ramp) == sizeof(wire::OrderRamp) - 2 &&
                  sizeof(Tone) == sizeof(wire::OrderTone) - 2 && sizeof(At) == sizeof(wire::OrderStartAt) - 1 &&
                  sizeof(Code) == sizeof(wire::OrderCode) - 2 + sizeof(Code::place),
              "the parameters have the same layout in RAM as on the wire");

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
  if (code != wire::ORDER_SET) memcpy(&action.params, order + params_at, wire::order_size(code) - params_at);
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
  uint32_t on = on_ticks(), period;
  uint16_t count;
  if (code == wire::ORDER_TRAIN) {
    period = params.train.period;
    count = params.train.count;
  } else if (code == wire::ORDER_RAMP) {
    period = ticks::of_ms(params.ramp.period_ms);
    count = params.ramp.count;
  } else {
    return on;
  }
  if (period > on || count <= 1) return count ? on : 0;
  // Return the largest value where the product overflows.
  return on > 0xFFFFFFFF / count ? 0xFFFFFFFF : on * count;
}

bool Action::has_no_gaps() const { return code == wire::ORDER_TRAIN && params.train.period <= params.train.on; }

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
