// SPDX-License-Identifier: BSD-3-Clause

#include "hot.h"

#include "inputs.h"

#include <string.h>

#include "agenda.h"
#include "events.h"
#include "outputs.h"
#include "ticks.h"

namespace inputs {

namespace {

constexpr uint32_t LONGEST = 1UL << 24;
constexpr uint8_t PLACES = sizeof(hal::Capture::levels);

uint8_t at_pin[8 * PLACES];  // the channel of every pin that can be watched, or NONE
uint8_t known[PLACES];       // the levels of the last capture

bool fits(uint32_t us) { return us < LONGEST / ticks::PER_US; }

bool is_input(uint8_t channel) { return channel < limits::CHANNELS && channels[channel].kind() == INPUT_CHANNEL; }

uint32_t confirmation(const Input& input) { return input.raw ? input.confirm_on : input.confirm_off; }

void report(uint8_t channel, uint32_t at) {
  Input& input = channels[channel].input;
  input.level = input.raw;
  uint32_t until = input.changed + input.debounce;
  input.locked = ticks::before(at, until);
  if (input.locked) agenda::set(channel, until);
  on_edge(channel, input.level, input.changed);
}

void change(uint8_t channel, uint32_t stamp) {
  Input& input = channels[channel].input;
  input.raw ^= 1;
  input.changed = stamp;
  if (input.locked) return;
  if (!input.pending()) {
    agenda::cancel(channel);
  } else if (uint32_t wait = confirmation(input)) {
    agenda::set(channel, stamp + wait);
  } else {
    report(channel, stamp);
  }
}

// The first of the channels whose pins are no longer as they were known; they are, then.
uint8_t take_changed(const uint8_t* levels) {
  uint8_t best = limits::NONE, best_place = 0, best_mask = 0;
  for (uint8_t place = 0; place < PLACES; place++) {
    uint8_t bits = levels[place] ^ known[place];
    if (!bits) continue;
    const uint8_t* channel = at_pin + 8 * place;
    for (uint8_t mask = 1; bits; bits >>= 1, mask <<= 1, channel++) {
      if (!(bits & 1)) continue;
      if (*channel == limits::NONE) {
        known[place] ^= mask;
      } else if (*channel < best) {
        best = *channel;
        best_place = place;
        best_mask = mask;
      }
    }
  }
  known[best_place] ^= best_mask;
  return best;
}

uint8_t pin_number(hal::Pin pin) {
  uint8_t number = 8 * pin.port;
  for (uint8_t mask = pin.mask; mask > 1; mask >>= 1) number++;
  return number;
}

}  // namespace

uint8_t configure(const wire::OrderInput& order) {
  if (order.channel >= limits::CHANNELS) return wire::REASON_NO_ROOM;
  hal::Pin pin = hal::input_pin(order.pin);
  if (!pin.mask) return wire::REASON_UNKNOWN;
  if (!fits(order.debounce_us) || !fits(order.confirm_on_us) || !fits(order.confirm_off_us)) {
    return wire::REASON_TOO_LONG;
  }
  Channel& channel = channels[order.channel];
  if (channel.kind() == OUTPUT_CHANNEL) outputs::off(order.channel, wire::DONE_STOPPED);
  agenda::cancel(order.channel);
  memset(&channel, 0, sizeof(channel));
  for (uint8_t& known_as : at_pin) {
    if (known_as == order.channel) known_as = limits::NONE;
  }
  hal::make_input(pin);
  Input& input = channel.input;
  input.inverted = order.flags & wire::INVERTED;
  input.debounce = order.debounce_us * ticks::PER_US;
  input.confirm_on = order.confirm_on_us * ticks::PER_US;
  input.confirm_off = order.confirm_off_us * ticks::PER_US;
  input.changed = hal::now();
  uint8_t levels = hal::read_port(pin.port) & pin.mask;
  known[pin.port] = (known[pin.port] & ~pin.mask) | levels;
  bool level = !!levels ^ input.inverted;
  input.raw = input.level = level;
  input.kind = INPUT_CHANNEL;
  at_pin[pin_number(pin)] = order.channel;
  if (level) number(order.channel, true, events::edge(order.channel | wire::LEVEL, 0, input.changed));
  return 0;
}

void take(const hal::Capture& capture) {
  uint8_t levels[PLACES];
  memcpy(levels, capture.levels, PLACES);
  uint8_t channel;
  while ((channel = take_changed(levels)) != limits::NONE) change(channel, capture.stamp);
}

void unwatch(uint8_t pin_of_board) {
  hal::Pin pin = hal::input_pin(pin_of_board);
  if (pin.mask) at_pin[pin_number(pin)] = limits::NONE;
}

void forget() { memset(at_pin, limits::NONE, sizeof(at_pin)); }

void due(uint8_t channel, uint32_t at) {
  Input& input = channels[channel].input;
  if (will_report(channel, at)) {
    report(channel, at);
  } else {
    input.locked = 0;
    if (input.pending()) agenda::set(channel, input.changed + confirmation(input));
  }
}

bool will_report(uint8_t channel, uint32_t at) {
  const Input& input = channels[channel].input;
  return input.pending() && (!input.locked || !ticks::before(at, input.changed + confirmation(input)));
}

bool comes_before(uint8_t second, uint8_t first) {
  uint32_t a = channels[second].input.changed, b = channels[first].input.changed;
  return a == b ? second < first : ticks::before(a, b);
}

uint32_t horizon(uint32_t now) {
  {
    hal::Lock lock;
    const hal::Capture* capture = hal::oldest_capture();
    if (capture && ticks::before(capture->stamp, now)) now = capture->stamp;
  }
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) {
    hal::Lock lock;
    if (!is_input(channel)) continue;
    const Input& input = channels[channel].input;
    if (input.pending() && ticks::before(input.changed, now)) now = input.changed;
  }
  return now - 1;
}

void number(uint8_t channel, bool level, uint16_t event) {
  Input& input = channels[channel].input;
  input.last[level] = event;
  input.newer |= 1 << level;
}

bool newer(uint8_t place, uint16_t seen) {
  uint8_t channel = place & ~wire::LEVEL, level = place >> 7;
  if (!is_input(channel)) return false;
  const Input& input = channels[channel].input;
  if (!(input.newer & 1 << level)) return false;
  uint16_t count = events::count();
  int16_t age = count - input.last[level];
  return age < 0 || static_cast<uint16_t>(age) < static_cast<uint16_t>(count - seen);
}

void sweep(uint8_t channel) {
  if (!is_input(channel)) return;
  Input& input = channels[channel].input;
  for (uint8_t level = 0; level < 2; level++) {
    if (static_cast<uint16_t>(events::count() - input.last[level]) - 0x4000U < 0x4000U) input.newer &= ~(1 << level);
  }
}

}  // namespace inputs
