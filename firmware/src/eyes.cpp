// SPDX-License-Identifier: BSD-3-Clause

#include "lean.h"

#include "eyes.h"

#include "aims.h"
#include "inputs.h"
#include "reflexes.h"
#include "volley.h"

namespace eyes {

Eye all[hal::WATCHED];
Hand hand;

namespace {

// It is no edge yet, or may not be, or has to wait for something.
OUT_OF_LINE void see_later(Eye& eye, uint8_t bit, uint8_t channel, bool level, uint16_t at) {
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

}  // namespace

void open(uint8_t channel, hal::Pin pin, bool level, Edge edge) {
  hal::Pause pause;
  shut(pin);
  Eye& eye = all[pin.port];
  eye.ready |= pin.mask;
  eye.resting &= ~pin.mask;
  if (level) eye.resting |= pin.mask;
  eye.prompt &= ~pin.mask;
  if (edge == LATER) return;
  eye.prompt |= pin.mask;
  if (edge == IN_HAND) hand = Hand{pin.port, pin.mask, eye.resting, channel};
}

void shut(hal::Pin pin) {
  hal::Pause pause;
  all[pin.port].ready &= ~pin.mask;
  if (hand.mask == pin.mask) hand.mask = 0;  // of whatever port: it only has to be looked for then
}

void fired_in_hand() {
  all[hand.port].ready &= ~hand.mask;
  volley::note(hand.channel, hal::tick(), aims::edges[hand.channel]);
}

IN_A_HURRY void see(const hal::Levels& now) {
  const uint8_t* levels = now.of;
  uint8_t port = 0;
  for (Eye* eye = all; eye != all + hal::WATCHED; eye++, levels++, port++) {
    while (uint8_t changes = changed(*eye, *levels)) {
      uint8_t bit = changes & -changes;
      eye->ready &= ~bit;
      uint8_t channel = inputs::channel_at(inputs::number_of(hal::Pin{port, bit}));
      hal::look_at_pins();
      if (channel == limits::NONE) continue;
      if (!(eye->prompt & bit) || !volley::fire_at_once(channel, now.at, aims::edges[channel])) {
        see_later(*eye, bit, channel, *levels & bit, now.at);
      }
      hal::look_at_pins();
    }
  }
}

}  // namespace eyes
