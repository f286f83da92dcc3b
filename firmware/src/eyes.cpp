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

}  // namespace

namespace {

// Which of eight one bit is.
inline uint8_t number_of(uint8_t bit) {
  uint8_t number = 0;
  while (bit >>= 1) number++;
  return number;
}

inline void see_one(uint8_t port, uint8_t bit, bool level, uint16_t at) {
  uint8_t channel = inputs::channel_at(8 * port + number_of(bit));
  if (channel == limits::NONE) return;
  const volley::Aim& aim = aims::edges[channel];
  if ((prompt[port] & bit) && volley::is_empty()) {
    volley::fire(aim);
    volley::add_fired(channel, aim);
    return;
  }
  const Input& input = channels[channel].input;
  if (level == (input.level != input.inverted)) {  // it goes back before it was confirmed
    volley::drop(channel);
    return;
  }
  if (!reflexes::lasted(aim.group, at)) return;
  uint16_t wait = inputs::confirmation_of_next(input);
  if (wait) {
    if (!volley::add(channel, at + wait, aim)) return;
    resting[port] ^= bit;
    ready[port] |= bit;  // it may go back
    if (hal::is_soon(at + wait)) volley::strike();
  } else if (volley::add(channel, at, aim)) {
    volley::strike();
  }
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
    see_one(port, bit, levels & bit, at);
    hal::look_at_pins();
    pins ^= bit;
  } while (pins);
}

}  // namespace eyes
