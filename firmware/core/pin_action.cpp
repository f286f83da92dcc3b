// SPDX-License-Identifier: BSD-3-Clause

#include "pin_action.h"

#include "channels.h"
#include "hal.h"

namespace pin_events {

bool is_never_delayed(uint8_t id, const PinAction& pin_action) {
  if (id >= limits::CHANNELS || id != pin_action.channel) return false;
  const Output& output = channels[id].output;
  if (pin_action.port == SILENCE || output.order == wire::ORDER_CODE) return true;
  return pin_action.port != START && pin_action.level == output.inverted;
}

void execute(const PinAction& pin_action) {
  if (!pin_action.mask) return;
  if (pin_action.port == START) {
    hal::start_tone(pin_action.mask - 1);
  } else if (pin_action.port == SILENCE) {
    hal::stop_tone(pin_action.mask - 1, pin_action.level);
  } else {
    hal::drive(hal::Pin{pin_action.port, pin_action.mask}, pin_action.level);
  }
}

void restore(uint8_t channel) {
  if (channel == limits::NO_CHANNEL) return;
  const Output& output = channels[channel].output;
  if (output.voice == limits::NO_VOICE) hal::drive(output.pin, output.on != output.inverted);
}

}  // namespace pin_events
