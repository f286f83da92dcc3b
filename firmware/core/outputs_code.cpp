// SPDX-License-Identifier: BSD-3-Clause
//
// Outputs that send a sync code. They are neither dangerous nor interlocked, and have no voice.

#include "channels.h"
#include "outputs.h"
#include "pin_timer.h"
#include "ticks.h"
#include "timer_queue.h"

namespace outputs {

namespace {

// Let the interrupt of the timer make the next change of the pin.
void schedule(uint8_t channel, uint32_t at) {
  pin_timer::set(channel, channels[channel].output.on ? pin_timer::TO_REST : pin_timer::TO_ON);
  timer_queue::set(channel, at);
}

}  // namespace

uint8_t begin_code(uint8_t channel, const Action& action, uint32_t stamp) {
  Output& output = channels[channel].output;
  const Code& code = action.params.code;
  if (output.order) return wire::REASON_BUSY;
  // It never ends, so a limit would be passed, and no other interlocked output could be on.
  if (output.dangerous || output.exclusive || !code.is_valid()) return wire::REASON_TOO_LONG;
  output.order = wire::ORDER_CODE;
  output.params = action.params;
  output.params.code.place = 0;
  schedule(channel, stamp + ticks::of_ms(code.bit_ms) - target::PIN_DELAY);
  return 0;
}

void change_code(uint8_t channel, uint32_t at) {
  Output& output = channels[channel].output;
  output.on = !output.on;
  schedule(channel, at + ticks::of_ms(output.params.code.next_change(output.on)));
}

}  // namespace outputs
