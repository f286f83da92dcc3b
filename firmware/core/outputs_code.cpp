// SPDX-License-Identifier: BSD-3-Clause
//
// Outputs that send a sync code. They are neither dangerous nor interlocked, and have no voice.

#include "channels.h"
#include "lookahead.h"
#include "outputs.h"
#include "ticks.h"
#include "timer_queue.h"

namespace outputs {

uint8_t begin_code(uint8_t channel, const Action& action, uint32_t stamp) {
  Output& output = channels[channel].output;
  const Code& code = action.params.code;
  if (output.order) return wire::REASON_BUSY;
  // It never ends, so a limit would be passed, and no other interlocked output could be on.
  if (output.dangerous || output.exclusive || !code.is_valid()) return wire::REASON_TOO_LONG;
  lookahead::invalidate_output(channel);
  output.order = wire::ORDER_CODE;
  output.params = action.params;
  output.params.code.place = 0;
  output.gap = 1;
  timer_queue::set(channel, stamp + ticks::of_ms(code.bit_ms) - target::PIN_DELAY);
  return 0;
}

// It is not inlined, because on_due() is on the deepest path of the stack.
__attribute__((noinline)) void change_code(uint8_t channel, uint32_t at) {
  Output& output = channels[channel].output;
  output.on = output.gap;
  output.gap = !output.on;
  hal::drive(output.pin, output.on != output.inverted);
  timer_queue::set(channel, at + ticks::of_ms(output.params.code.next_change(output.on)));
}

}  // namespace outputs
