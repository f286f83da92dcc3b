// SPDX-License-Identifier: BSD-3-Clause

#include "edge_isr.h"

#include "inputs.h"
#include "pin_events.h"
#include "reflexes.h"

namespace edge_isr {

PortState ports[limits::INPUT_PORTS];
FastPath fast_path;

namespace {

// It is no edge yet, or may not be, or has to wait for something.
void handle_later(PortState& state, uint8_t bit, uint8_t channel, bool level, uint16_t at) {
  const pin_events::PinAction& pin_action = lookahead::edge_actions[channel];
  const Input& input = channels[channel].input;
  if (level == (input.level != input.inverted)) {  // it goes back before it was confirmed
    pin_events::cancel(channel);
    return;
  }
  pin_events::run_due();  // what is due meanwhile
  if (!reflexes::lasted(pin_action.group, at) || inputs::is_locked(channel, at)) return;
  uint16_t wait = inputs::confirmation_of_next(input);
  at += wait;
  hal::poll_pins();
  if (!pin_events::add(channel, at, pin_action)) return;
  if (wait) {
    state.idle_level ^= bit;
    state.ready |= bit;  // it may go back
  }
  pin_events::run_due();
}

// The next change has come of the pin of a channel, if it has one still.
void handle_edge(uint8_t port, uint8_t bit, uint8_t channel, const hal::PortLevels& now) {
  PortState& state = ports[port];
  state.ready &= ~bit;
  hal::poll_pins();
  if (channel == limits::NONE) return;
  if (!(state.unfiltered & bit) || !pin_events::execute_at_once(channel, now.at, lookahead::edge_actions[channel])) {
    handle_later(state, bit, channel, now.of[port] & bit, now.at);
  }
  hal::poll_pins();
}

}  // namespace

void arm(uint8_t channel, hal::Pin pin, bool level, Edge edge) {
  hal::InterruptsOff off;
  disarm(pin);
  PortState& state = ports[pin.port];
  state.ready |= pin.mask;
  state.idle_level &= ~pin.mask;
  if (level) state.idle_level |= pin.mask;
  state.unfiltered &= ~pin.mask;
  if (edge == FILTERED) return;
  state.unfiltered |= pin.mask;
  if (edge == AT_ONCE) return;
  fast_path = FastPath{pin.port, pin.mask, state.idle_level, channel};
}

void disarm(hal::Pin pin) {
  hal::InterruptsOff off;
  ports[pin.port].ready &= ~pin.mask;
  if (fast_path.mask == pin.mask) fast_path.mask = 0;  // of whatever port: it only has to be looked for then
}

void fast_executed() {
  ports[fast_path.port].ready &= ~fast_path.mask;
  fast_path.mask = 0;
  pin_events::log_executed(fast_path.channel, hal::now_low(), fast_action());
}

void handle_fast(const hal::PortLevels& now) {
  uint8_t bit = fast_path.mask;
  fast_path.mask = 0;
  handle_edge(fast_path.port, bit, fast_path.channel, now);
}

void handle(uint8_t port, const hal::PortLevels& now) {
  uint8_t changes = changed(ports[port], now.of[port]), bit = changes & -changes;
  handle_edge(port, bit, inputs::channel_at(inputs::number_of(hal::Pin{port, bit})), now);
}

}  // namespace edge_isr
