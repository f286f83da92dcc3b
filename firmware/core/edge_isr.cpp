// SPDX-License-Identifier: BSD-3-Clause

#include "edge_isr.h"

#include "inputs.h"
#include "lookahead.h"
#include "pin_events.h"
#include "reflexes.h"

namespace edge_isr {

PortState ports[limits::INPUT_PORTS];

namespace {

// A pin has changed whose edge must be confirmed, or could not be executed at once: queue its action. If the pin has
// gone back before its edge was confirmed, cancel it instead.
void handle_filtered(PortState& state, uint8_t bit, uint8_t channel, bool level, uint16_t at) {
  const pin_events::PinAction& pin_action = lookahead::edge_actions[channel];
  const Input& input = channels[channel].input;
  if (level == (input.level != input.inverted)) {
    pin_events::cancel(channel);
    return;
  }
  pin_events::run_due();
  if (!reflexes::was_in_time(pin_action.group, at) || inputs::is_locked(channel, at)) return;
  uint16_t wait = inputs::confirmation_of_next(input);
  hal::poll_pins();
  if (!pin_events::add(channel, at + wait, pin_action)) return;
  if (wait) {  // notice when the pin goes back
    state.idle_level ^= bit;
    state.armed |= bit;
  }
  pin_events::run_due();
}

}  // namespace

void arm(hal::Pin pin, bool level, Edge edge) {
  hal::InterruptsOff off;
  PortState& state = ports[pin.port];
  state.armed |= pin.mask;
  state.idle_level &= ~pin.mask;
  if (level) state.idle_level |= pin.mask;
  state.at_once &= ~pin.mask;
  if (edge == AT_ONCE) state.at_once |= pin.mask;
}

void disarm(hal::Pin pin) {
  hal::InterruptsOff off;
  ports[pin.port].armed &= ~pin.mask;
}

void handle(uint8_t port, const hal::PortLevels& snapshot) {
  PortState& state = ports[port];
  uint8_t changes = changed(state, snapshot.of[port]), bit = changes & -changes;
  uint8_t channel = inputs::channel_at(inputs::number_of(hal::Pin{port, bit}));
  state.armed &= ~bit;
  hal::poll_pins();
  if (channel == limits::NONE) return;
  bool is_executed =
      state.at_once & bit && pin_events::execute_at_once(channel, snapshot.at, lookahead::edge_actions[channel]);
  if (!is_executed) handle_filtered(state, bit, channel, snapshot.of[port] & bit, snapshot.at);
  hal::poll_pins();
}

}  // namespace edge_isr
