// SPDX-License-Identifier: BSD-3-Clause

#include "inputs.h"

#include <string.h>

#include "events.h"
#include "lookahead.h"
#include "outputs.h"
#include "scheduler.h"
#include "ticks.h"
#include "timer_queue.h"

namespace inputs {

uint8_t top;

namespace {

uint8_t pins[limits::CHANNELS];      // the number of the pin of each input, or NONE
uint8_t known[limits::INPUT_PORTS];  // the levels in the last snapshot that was handled

constexpr uint32_t LONGEST = 1UL << 24;  // ticks: a debounce or a confirmation fits 24 bits

// The interrupt of a pin knows only the low half of a time. A longer confirmation is left to the timer queue.
constexpr uint16_t LONGEST_IN_INTERRUPT = 0x4000;

// Return whether times are short enough; these are their bits combined, which works because the limit is a power of
// two.
bool fit(uint32_t us) { return us < LONGEST / ticks::PER_US; }

uint32_t confirmation(const Input& input) { return input.pin_on ? input.confirm_on : input.confirm_off; }

// Return whether the lock-out that began with the last change is not over at a time.
bool is_too_early(const Input& input, uint32_t at) { return ticks::before(at, input.changed_at + input.debounce); }

void report(uint8_t channel, uint32_t at) {
  Input& input = channels[channel].input;
  input.level = input.pin_on;
  input.locked = is_too_early(input, at);
  scheduler::handle_edge(channel, input.level, input.changed_at);
}

// End a lock-out that is over, or put its end into the timer queue. Without a change during the lock-out this is not
// needed.
void update_lockout(uint8_t channel, uint32_t now) {
  Input& input = channels[channel].input;
  if (!input.locked || timer_queue::has(channel)) return;
  input.locked = is_too_early(input, now);
  if (input.locked) timer_queue::set(channel, input.changed_at + input.debounce);
}

void change(uint8_t channel, uint32_t stamp) {
  Input& input = channels[channel].input;
  update_lockout(channel, stamp);
  input.pin_on ^= 1;
  input.changed_at = stamp;
  if (input.locked) return;
  if (input.is_pending()) {
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

// Return the number of the event of the last edge to a level.
uint16_t last_of(const Input& input, bool level) { return level == input.level ? input.last : input.last - input.gap; }

uint8_t mask_of(uint8_t pin) { return 1 << (pin & 7); }

}  // namespace

bool is_input(uint8_t id) { return id < limits::CHANNELS && channels[id].kind() == INPUT_CHANNEL; }

hal::Pin pin_of(uint8_t channel) {
  uint8_t pin = pins[channel];
  return pin == limits::NONE ? hal::Pin{0, 0} : hal::Pin{static_cast<uint8_t>(pin / 8), mask_of(pin)};
}

uint8_t number_of(hal::Pin pin) {
  uint8_t number = 8 * pin.port;
  for (uint8_t mask = pin.mask; mask >>= 1;) number++;
  return number;
}

uint8_t channel_at(uint8_t pin) {
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) {
    if (pins[channel] == pin) return channel;
  }
  return limits::NONE;
}

bool has_changed(uint8_t channel) {
  const Input& input = channels[channel].input;
  hal::InterruptsOff off;
  return hal::queued_edge_differs(pin_of(channel), input.pin_on != input.inverted);
}

bool can_interrupt_handle(uint8_t channel) {
  const Input& input = channels[channel].input;
  if (input.is_pending() || (input.level ? input.confirm_off : input.confirm_on) > LONGEST_IN_INTERRUPT) return false;
  update_lockout(channel, hal::now());
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
  uint8_t pin_number = number_of(pin);
  unwatch(pin_number);
  hal::make_input(pin);
  Input& input = channel.input;
  input.inverted = order.flags & wire::INVERTED;
  input.debounce = order.debounce_us * ticks::PER_US;
  input.confirm_on = order.confirm_on_us * ticks::PER_US;
  input.confirm_off = order.confirm_off_us * ticks::PER_US;
  input.changed_at = hal::now();
  uint8_t levels = hal::read_port(pin.port) & pin.mask;
  known[pin.port] = (known[pin.port] & ~pin.mask) | levels;
  bool level = !!levels ^ input.inverted;
  input.pin_on = input.level = level;
  input.kind = INPUT_CHANNEL;
  pins[order.channel] = pin_number;
  if (top <= order.channel) top = order.channel + 1;
  if (level) set_event_number(order.channel, true, events::edge(order.channel | wire::LEVEL, 0, input.changed_at));
  return 0;
}

void handle_snapshot(const hal::Snapshot& snapshot) {
  for (uint8_t port = 0; port < limits::INPUT_PORTS; port++) {
    uint8_t changed = snapshot.levels[port] ^ known[port];
    if (!changed) continue;
    known[port] ^= changed;
    for (uint8_t pin = 8 * port; changed; pin++, changed >>= 1) {
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

void on_due(uint8_t channel, uint32_t at) {
  Input& input = channels[channel].input;
  if (will_report(channel, at)) {
    report(channel, at);
  } else {
    input.locked = 0;
    if (input.is_pending()) {
      timer_queue::set(channel, input.changed_at + confirmation(input));
    } else {
      lookahead::invalidate(channel);
    }
  }
}

bool will_report(uint8_t channel, uint32_t at) {
  const Input& input = channels[channel].input;
  return input.is_pending() && (!input.locked || !ticks::before(at, input.changed_at + confirmation(input)));
}

bool comes_before(uint8_t second, uint8_t first) {
  uint32_t a = channels[second].input.changed_at, b = channels[first].input.changed_at;
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
    if (input.is_pending() && ticks::before(input.changed_at, now)) now = input.changed_at;
  }
  return now - 1;
}

void set_event_number(uint8_t channel, bool level, uint16_t event) {
  Input& input = channels[channel].input;
  constexpr uint16_t LARGEST = static_cast<limits::EventGap>(-1);
  uint16_t gap = event - input.last;
  input.gap = gap < LARGEST ? gap : LARGEST;
  input.last = event;
  input.edge_known |= 1 << level;
}

bool has_newer_edge(uint8_t edge_code, uint16_t seen) {
  uint8_t channel = edge_code & ~wire::LEVEL, level = edge_code >> 7;
  if (!is_input(channel)) return false;
  const Input& input = channels[channel].input;
  if (!(input.edge_known & 1 << level)) return false;
  uint16_t count = events::last_number();
  int16_t age = static_cast<int16_t>(count - last_of(input, level));
  return age < 0 || static_cast<uint16_t>(age) < static_cast<uint16_t>(count - seen);
}

void maintain(uint8_t channel, uint32_t now) {
  if (!is_input(channel)) return;
  Input& input = channels[channel].input;
  if (!timer_queue::has(channel) && !is_too_early(input, now)) input.locked = 0;
  for (uint8_t level = 0; level < 2; level++) {
    uint16_t age = events::last_number() - last_of(input, level);
    if (age - 0x4000U < 0x4000U) input.edge_known &= ~(1 << level);
  }
}

}  // namespace inputs
