// SPDX-License-Identifier: BSD-3-Clause

#include "lean.h"

#include "eyes.h"

#include "aims.h"
#include "inputs.h"
#include "reflexes.h"
#include "volley.h"

namespace eyes {

volatile uint8_t ready[sizeof(hal::Capture::levels)];
uint8_t resting[sizeof(hal::Capture::levels)];

namespace {

// Of those that are ready, the pins whose next change is an edge at once, and fires whatever the time.
uint8_t prompt[sizeof(hal::Capture::levels)];

// It is no edge yet, or may not be, or has to wait for something.
OUT_OF_LINE void see_later(uint8_t channel, bool level, uint16_t at) {
  const volley::Aim& aim = aims::edges[channel];
  const Input& input = channels[channel].input;
  if (level == (input.level != input.inverted)) {  // it goes back before it was confirmed
    volley::drop(channel);
    return;
  }
  if (!reflexes::lasted(aim.group, at)) return;
  uint16_t wait = inputs::confirmation_of_next(input);
  at += wait;
  if (!volley::add(channel, at, aim)) return;
  if (wait) {
    hal::Pin pin = inputs::pin_of(channel);
    resting[pin.port] ^= pin.mask;
    ready[pin.port] |= pin.mask;  // it may go back
    if (!hal::is_soon(at)) return;
  }
  volley::strike();
}

}  // namespace

void open(hal::Pin pin, bool level, bool at_once) {
  hal::Pause pause;
  ready[pin.port] |= pin.mask;
  prompt[pin.port] &= ~pin.mask;
  if (at_once) prompt[pin.port] |= pin.mask;
  resting[pin.port] &= ~pin.mask;
  if (level) resting[pin.port] |= pin.mask;
}

void shut(hal::Pin pin) {
  hal::Pause pause;
  ready[pin.port] &= ~pin.mask;
}

void see(uint8_t port, uint8_t pins, uint8_t levels, uint16_t at) {
  ready[port] &= ~pins;
  do {
    uint8_t bit = pins & -pins;
    uint8_t channel = inputs::channel_at(hal::number_of(hal::Pin{port, bit}));
    hal::look_at_pins();
    if (channel != limits::NONE) {
      bool fires = (prompt[port] & bit) && volley::fire_at_once(channel, at, aims::edges[channel]);
      if (!fires) see_later(channel, levels & bit, at);
      hal::look_at_pins();
    }
    pins ^= bit;
  } while (pins);
}

}  // namespace eyes
