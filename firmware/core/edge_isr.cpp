// SPDX-License-Identifier: BSD-3-Clause

#include "edge_isr.h"

#include "inputs.h"
#include "reflexes.h"
#include "pin_events.h"

namespace eyes {

Eye all[limits::INPUT_PORTS];
Hand hand;

namespace {

// It is no edge yet, or may not be, or has to wait for something.
void see_later(Eye& eye, uint8_t bit, uint8_t channel, bool level, uint16_t at) {
  const volley::Aim& aim = aims::edges[channel];
  const Input& input = channels[channel].input;
  if (level == (input.level != input.inverted)) {  // it goes back before it was confirmed
    volley::drop(channel);
    return;
  }
  volley::strike();  // what is due meanwhile
  if (!reflexes::lasted(aim.group, at) || inputs::is_locked(channel, at)) return;
  uint16_t wait = inputs::confirmation_of_next(input);
  at += wait;
  hal::look_at_pins();
  if (!volley::add(channel, at, aim)) return;
  if (wait) {
    eye.resting ^= bit;
    eye.ready |= bit;  // it may go back
  }
  volley::strike();
}

// The next change has come of the pin of a channel, if it has one still.
void see_edge(uint8_t port, uint8_t bit, uint8_t channel, const hal::Levels& now) {
  Eye& eye = all[port];
  eye.ready &= ~bit;
  hal::look_at_pins();
  if (channel == limits::NONE) return;
  if (!(eye.prompt & bit) || !volley::fire_at_once(channel, now.at, aims::edges[channel])) {
    see_later(eye, bit, channel, now.of[port] & bit, now.at);
  }
  hal::look_at_pins();
}

}  // namespace

void open(uint8_t channel, hal::Pin pin, bool level, Edge edge) {
  hal::InterruptsOff off;
  shut(pin);
  Eye& eye = all[pin.port];
  eye.ready |= pin.mask;
  eye.resting &= ~pin.mask;
  if (level) eye.resting |= pin.mask;
  eye.prompt &= ~pin.mask;
  if (edge == LATER) return;
  eye.prompt |= pin.mask;
  if (edge == AT_ONCE) return;
  hand = Hand{pin.port, pin.mask, eye.resting, channel};
}

void shut(hal::Pin pin) {
  hal::InterruptsOff off;
  all[pin.port].ready &= ~pin.mask;
  if (hand.mask == pin.mask) hand.mask = 0;  // of whatever port: it only has to be looked for then
}

void fired_in_hand() {
  all[hand.port].ready &= ~hand.mask;
  hand.mask = 0;
  volley::note(hand.channel, hal::tick(), aim_in_hand());
}

void see_in_hand(const hal::Levels& now) {
  uint8_t bit = hand.mask;
  hand.mask = 0;
  see_edge(hand.port, bit, hand.channel, now);
}

void see(uint8_t port, const hal::Levels& now) {
  uint8_t changes = changed(all[port], now.of[port]), bit = changes & -changes;
  see_edge(port, bit, inputs::channel_at(inputs::number_of(hal::Pin{port, bit})), now);
}

}  // namespace eyes
