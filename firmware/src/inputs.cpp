// SPDX-License-Identifier: BSD-3-Clause

#include "inputs.h"

#include <string.h>

#include "agenda.h"
#include "events.h"
#include "outputs.h"
#include "ticks.h"

namespace inputs {

namespace {

constexpr uint32_t LONGEST = 1UL << 24;

bool fits(uint32_t us) { return us < LONGEST / ticks::PER_US; }

bool is_input(uint8_t channel) { return channel < limits::CHANNELS && channels[channel].kind == Kind::input; }

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

}  // namespace

uint8_t configure(const wire::OrderInput& order) {
  if (order.channel >= limits::CHANNELS) return wire::REASON_NO_ROOM;
  hal::Pin pin = hal::input_pin(order.pin);
  if (!pin.mask) return wire::REASON_UNKNOWN;
  if (!fits(order.debounce_us) || !fits(order.confirm_on_us) || !fits(order.confirm_off_us)) {
    return wire::REASON_TOO_LONG;
  }
  Channel& channel = channels[order.channel];
  if (channel.kind == Kind::output) outputs::off(order.channel, wire::DONE_STOPPED);
  agenda::cancel(order.channel);
  memset(&channel, 0, sizeof(channel));
  hal::make_input(pin);
  Input& input = channel.input;
  input.port = pin.port;
  input.mask = pin.mask;
  input.inverted = order.flags & wire::INVERTED;
  input.debounce = order.debounce_us * ticks::PER_US;
  input.confirm_on = order.confirm_on_us * ticks::PER_US;
  input.confirm_off = order.confirm_off_us * ticks::PER_US;
  input.changed = hal::now();
  bool level = !!(hal::read_port(pin.port) & pin.mask) ^ input.inverted;
  input.raw = input.level = level;
  channel.kind = Kind::input;
  if (level) number(order.channel, true, events::edge(order.channel | wire::LEVEL, 0, input.changed));
  return 0;
}

void take(const hal::Capture& capture) {
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) {
    if (channels[channel].kind != Kind::input) continue;
    Input& input = channels[channel].input;
    bool level = !!(capture.levels[input.port] & input.mask) ^ input.inverted;
    if (level != input.raw) change(channel, capture.stamp);
  }
}

void due(uint8_t channel, uint32_t at) {
  Input& input = channels[channel].input;
  bool was_locked = input.locked;
  input.locked = 0;
  if (!input.pending()) return;
  uint32_t confirmed = input.changed + confirmation(input);
  if (was_locked && ticks::before(at, confirmed)) {
    agenda::set(channel, confirmed);
  } else {
    report(channel, at);
  }
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
