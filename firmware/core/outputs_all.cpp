// SPDX-License-Identifier: BSD-3-Clause
//
// All outputs at once, or all of a sequence.

#include "channels.h"
#include "outputs.h"

namespace outputs {

void stop_of(uint8_t sequence) {
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) {
    if (channels[channel].kind() == OUTPUT_CHANNEL && channels[channel].output.starter == sequence) {
      off(channel, wire::DONE_STOPPED);
    }
  }
}

void all_off() {
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) {
    if (channels[channel].kind() == OUTPUT_CHANNEL) off(channel, wire::DONE_STOPPED);
  }
}

void restore() {
  for (const Channel& channel : channels) {
    const Output& output = channel.output;
    if (channel.kind() == OUTPUT_CHANNEL && output.voice == limits::NO_VOICE) {
      hal::drive(output.pin, output.on != output.inverted);
    }
  }
}

}  // namespace outputs
