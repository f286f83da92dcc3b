// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that act on all outputs, or on all outputs of one sequence.

#include "channels.h"
#include "outputs.h"

namespace outputs {

void stop_started_by(uint8_t sequence) {
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) {
    if (channels[channel].kind() == OUTPUT_CHANNEL && channels[channel].output.sequence_slot == sequence) {
      off(channel, wire::DONE_STOPPED);
    }
  }
}

void all_off() {
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) {
    if (channels[channel].kind() == OUTPUT_CHANNEL) off(channel, wire::DONE_STOPPED);
  }
}

}  // namespace outputs
