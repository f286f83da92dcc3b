// SPDX-License-Identifier: BSD-3-Clause

#include "inputs.h"

#include <string.h>

#include "events.h"
#include "outputs.h"
#include "ticks.h"
#include "timer_queue.h"

namespace inputs {

uint8_t top;

namespace {

uint8_t pins[limits::CHANNELS];  // the number of the pin of every channel that is watched, or NONE; the last one first

constexpr uint32_t LONGEST = 1UL << 24;
constexpr uint16_t LONGEST_RESTING = 0x4000;  // what must last longer is aimed when its time comes near
uint8_t known[limits::INPUT_PORTS];           // the levels of the last capture that was taken

// Whether all times are short enough whose bits these are: the limit is a power of two.
bool fit(uint32_t us) { return us < LONGEST / ticks::PER_US; }

uint32_t confirmation(const Input& input) { return input.raw ? input.confirm_on : input.confirm_off; }

// Tell whether a lock-out that begins with its last change lasts until then.
bool is_too_early(const Input& input, uint32_t at) { return ticks::before(at, input.changed + input.debounce); }

void report(uint8_t channel, uint32_t at) {
  Input& input = channels[channel].input;
  input.level = input.raw;
  input.locked = is_too_early(input, at);
  on_edge(channel, input.level, input.changed);
}

// Have it unlocked when its time comes, if that is not over at `now`: nothing has looked at it since its last edge.
void wait_for_unlocking(uint8_t channel, uint32_t now) {
  Input& input = channels[channel].input;
  if (!input.locked || timer_queue::has(channel)) return;
  input.locked = is_too_early(input, now);
  if (input.locked) timer_queue::set(channel, input.changed + input.debounce);
}

void change(uint8_t channel, uint32_t stamp) {
  Input& input = channels[channel].input;
  wait_for_unlocking(channel, stamp);  // the end of a lock-out matters only if something changes before
  input.raw ^= 1;
  input.changed = stamp;
  if (input.locked) return;
  if (input.pending()) {
    timer_queue::set(channel, stamp + confirmation(input));
  } else {
    timer_queue::cancel(channel);
  }
}

void unwatch(uint8_t number) {
  for (uint8_t& pin : pins) {
    if (pin == number) pin = limits::NONE;
  }
}

// The number of the last edge to a level.
uint16_t last_of(const Input& input, bool level) { return level == input.level ? input.last : input.last - input.gap; }

uint8_t& number_at(uint8_t channel) { return pins[limits::CHANNELS - 1 - channel]; }

uint8_t mask_of(uint8_t pin) { return 1 << (pin & 7); }

}  // namespace

bool is_input(uint8_t id) { return id < limits::CHANNELS && channels[id].kind() == INPUT_CHANNEL; }

hal::Pin pin_of(uint8_t channel) {
  uint8_t pin = number_at(channel);
  return pin == limits::NONE ? hal::Pin{0, 0} : hal::Pin{static_cast<uint8_t>(pin / 8), mask_of(pin)};
}

uint8_t number_of(hal::Pin pin) {
  uint8_t number = 8 * pin.port;
  uint8_t upper = pin.mask & 0xF0, odd_pair = pin.mask & 0xCC, odd = pin.mask & 0xAA;  // or it compares words
  if (upper) number += 4;
  if (odd_pair) number += 2;
  if (odd) number += 1;
  return number;
}

// From the end, which is the fastest way to go through them: there the first channels are, which most inputs have.
uint8_t channel_at(uint8_t pin) {
  const uint8_t* place = pins + limits::CHANNELS;
  for (uint8_t left = limits::CHANNELS; left; left--) {
    if (*--place == pin) return limits::CHANNELS - left;
  }
  return limits::NONE;
}

bool has_changed(uint8_t channel) {
  const Input& input = channels[channel].input;
  hal::InterruptsOff off;
  return hal::queued_edge_differs(pin_of(channel), input.raw != input.inverted);
}

bool is_resting(uint8_t channel) {
  const Input& input = channels[channel].input;
  if (input.pending() || (input.level ? input.confirm_off : input.confirm_on) > LONGEST_RESTING) return false;
  wait_for_unlocking(channel, hal::now());
  return true;
}

bool is_locked(uint8_t channel, uint16_t at) {
  const Input& input = channels[channel].input;
  return input.locked && is_too_early(input, hal::extend(at));
}

uint8_t configure(const wire::OrderInput& order) {
  if (order.channel >= limits::CHANNELS) return wire::REASON_NO_ROOM;
  hal::Pin pin = hal::input_pin(order.pin);
  if (!pin.mask) return wire::REASON_UNKNOWN;
  if (!fit(order.debounce_us | order.confirm_on_us | order.confirm_off_us)) return wire::REASON_TOO_LONG;
  Channel& channel = channels[order.channel];
  if (channel.kind() == OUTPUT_CHANNEL) outputs::off(order.channel, wire::DONE_STOPPED);
  timer_queue::cancel(order.channel);
  memset(&channel, 0, sizeof(channel));
  uint8_t place = number_of(pin);
  unwatch(place);
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
  number_at(order.channel) = place;
  if (top <= order.channel) top = order.channel + 1;
  if (level) number(order.channel, true, events::edge(order.channel | wire::LEVEL, 0, input.changed));
  return 0;
}

void take(const hal::Snapshot& snapshot) {
  for (uint8_t place = 0; place < limits::INPUT_PORTS; place++) {
    uint8_t changed = snapshot.levels[place] ^ known[place];
    if (!changed) continue;
    known[place] ^= changed;
    for (uint8_t pin = 8 * place; changed; pin++, changed >>= 1) {
      uint8_t channel = changed & 1 ? channel_at(pin) : limits::NONE;
      if (channel != limits::NONE) change(channel, snapshot.stamp);
    }
  }
}

void unwatch(hal::Pin pin) {
  if (pin.mask) unwatch(number_of(pin));
}

void forget() {
  memset(pins, limits::NONE, sizeof(pins));
  top = 0;
}

void due(uint8_t channel, uint32_t at) {
  Input& input = channels[channel].input;
  if (will_report(channel, at)) {
    report(channel, at);
  } else {
    input.locked = 0;
    if (input.pending()) {
      timer_queue::set(channel, input.changed + confirmation(input));
    } else {
      on_unlocked(channel);
    }
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
    hal::SchedulerLock lock;
    if (hal::has_snapshot()) {
      hal::Snapshot snapshot;
      hal::read_snapshot(snapshot);
      if (ticks::before(snapshot.stamp, now)) now = snapshot.stamp;
    }
  }
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) {
    hal::SchedulerLock lock;
    if (!is_input(channel)) continue;
    const Input& input = channels[channel].input;
    if (input.pending() && ticks::before(input.changed, now)) now = input.changed;
  }
  return now - 1;
}

void number(uint8_t channel, bool level, uint16_t event) {
  Input& input = channels[channel].input;
  constexpr uint16_t LARGEST = static_cast<limits::Gap>(-1);
  uint16_t gap = event - input.last;
  input.gap = gap < LARGEST ? gap : LARGEST;
  input.last = event;
  input.newer |= 1 << level;
}

bool newer(uint8_t place, uint16_t seen) {
  uint8_t channel = place & ~wire::LEVEL, level = place >> 7;
  if (!is_input(channel)) return false;
  const Input& input = channels[channel].input;
  if (!(input.newer & 1 << level)) return false;
  uint16_t count = events::count();
  int16_t age = static_cast<int16_t>(count - last_of(input, level));
  return age < 0 || static_cast<uint16_t>(age) < static_cast<uint16_t>(count - seen);
}

void maintain(uint8_t channel, uint32_t now) {
  if (!is_input(channel)) return;
  Input& input = channels[channel].input;
  if (!timer_queue::has(channel) && !is_too_early(input, now)) input.locked = 0;
  for (uint8_t level = 0; level < 2; level++) {
    uint16_t age = events::count() - last_of(input, level);
    if (age - 0x4000U < 0x4000U) input.newer &= ~(1 << level);
  }
}

}  // namespace inputs
