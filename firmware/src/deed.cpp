// SPDX-License-Identifier: BSD-3-Clause

#include "deed.h"

#include <string.h>

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
  deed.channel = channel < limits::CHANNELS ? channel : NO_CHANNEL;
  if (code != wire::ORDER_SET) memcpy(&deed.body, order + body_at, wire::order_size(code) - body_at);
}
