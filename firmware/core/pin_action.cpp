// SPDX-License-Identifier: BSD-3-Clause

#include "pin_action.h"

#include "channels.h"
#include "hal.h"

namespace volley {

bool is_end(uint8_t who, const Aim& aim) {
  if (who >= limits::CHANNELS || who != aim.channel) return false;
  return aim.port == SILENCE || (aim.port != START && aim.level == channels[who].output.inverted);
}

void fire(const Aim& aim) {
  if (!aim.mask) return;
  if (aim.port == START) {
    hal::start(aim.mask - 1);
  } else if (aim.port == SILENCE) {
    hal::silence(aim.mask - 1, aim.level);
  } else {
    hal::drive(hal::Pin{aim.port, aim.mask}, aim.level);
  }
}

}  // namespace volley
