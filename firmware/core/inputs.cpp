// SPDX-License-Identifier: BSD-3-Clause

#include "inputs.h"

#include <string.h>

#include "events.h"
#include "floods.h"
#include "outputs.h"
#include "scheduler.h"
#include "sources.h"
#include "ticks.h"
#include "timer_queue.h"

namespace inputs {

uint8_t top;

namespace {

struct Port {
  uint8_t known;          // the levels in the last snapshot that was handled
  uint8_t heard;          // the pins of inputs that are not muted
  uint32_t silent_since;  // the stamp of the last snapshot with the port's flag
};
Port ports[limits::INPUT_PORTS];

constexpr uint32_t LONGEST = 1UL << 24;  // ticks: a debounce or a confirmation fits 24 bits

// Return whether times are short enough; these are their bits combined, which works because the limit is a power of
// two.
bool fit(uint32_t us) { return us < LONGEST / ticks::PER_US; }

uint32_t confirmation(const Input& input) { return input.pin_on ? input.confirm_on : input.confirm_off; }

// Return whether the lock-out that began with the last change is not over at a time.
bool is_too_early(const Input& input, uint32_t at) { return ticks::before(at, input.changed_at + input.debounce); }

void report(Input& input, uint8_t channel, uint32_t at) {
  input.level = input.pin_on;
  input.locked = is_too_early(input, at);
  scheduler::handle_edge(channel, input.level, input.changed_at);
}

// Report the change once its port has been silent for its confirmation, or now if it has been. With a flag for each pin
// the others of its port need not be silent.
void confirm(Input& input, uint8_t channel, uint32_t at) {
  if (uint32_t lasts = confirmation(input)) {
    uint32_t due = (limits::PIN_FLAGS ? input.changed_at : ports[input.pin.port].silent_since) + lasts;
    if (ticks::before(at, due)) {
      timer_queue::set(channel, due);
      return;
    }
  }
  report(input, channel, at);
}

// Return whether the lock-out lasts. If so, its end is put into the timer queue: without a change that is not needed.
bool is_locked_out(Input& input, uint8_t channel, uint32_t now) {
  if (!input.locked || timer_queue::has(channel)) return input.locked;
  input.locked = is_too_early(input, now);
  if (input.locked) timer_queue::set(channel, input.changed_at + input.debounce);
  return input.locked;
}

// Handle a change of the pin. Without a confirmation it is an edge at once: what was due before has been handled.
void change(Input& input, uint8_t channel, uint32_t stamp) {
  bool locked = is_locked_out(input, channel, stamp);
  input.pin_on ^= 1;
  input.changed_at = stamp;
  if (locked) return;
  if (input.is_pending()) {
    confirm(input, channel, stamp);
  } else {
    timer_queue::cancel(channel);
  }
}

// Handle the flag of a pin that is on its level again: it has left it for a time too short to be seen. A change that is
// not an edge yet began only when it came back.
void begin_again(Input& input, uint32_t stamp) {
  if (input.is_pending()) input.changed_at = stamp;
}

bool level_of(const Input& input, const snapshots::Snapshot& snapshot) {
  return !!(snapshot.levels[input.pin.port] & input.pin.mask) != input.inverted;
}

// Return the input of a pin, or NONE.
uint8_t channel_of(hal::Pin pin) {
  for (uint8_t channel = 0; channel < top; channel++) {
    if (is_input(channel) && channels[channel].input.pin.port == pin.port &&
        channels[channel].input.pin.mask == pin.mask)
      return channel;
  }
  return limits::NONE;
}

// Read the level of a pin, and count the pin from now on. Return the input's level.
bool begin(hal::Pin pin, const Input& input) {
  Port& port = ports[pin.port];
  uint8_t level = snapshots::read_port(pin.port) & pin.mask;
  port.known = (port.known & ~pin.mask) | level;
  port.heard |= pin.mask;
  return !!level != input.inverted;
}

// Return the number of the event of the last edge to a level.
uint16_t last_of(const Input& input, bool level) { return level == input.level ? input.last : input.last - input.gap; }

}  // namespace

void release(uint8_t channel) {
  if (!is_input(channel)) return;
  hal::Pin pin = channels[channel].input.pin;
  timer_queue::cancel(channel);
  sources::release(pin);
  snapshots::unwatch(pin);
  floods::forget(pin);
  ports[pin.port].heard &= ~pin.mask;
  channels[channel].input.kind = NEITHER;
}

void release(hal::Pin pin) { release(channel_of(pin)); }

template <typename Order>
static uint8_t configure_at(const Order& order, hal::Pin pin) {
  if (!fit(order.debounce_us | order.confirm_on_us | order.confirm_off_us)) return wire::REASON_TOO_LONG;
  Channel& channel = channels[order.channel];
  if (channel.kind() == OUTPUT_CHANNEL) outputs::off(order.channel, wire::DONE_STOPPED);
  timer_queue::cancel(order.channel);
  release(order.channel);
  release(pin);
  memset(&channel, 0, sizeof(channel));
  if (!sources::has_port(pin.port)) hal::make_input(pin);
  snapshots::watch(pin);
  Input& input = channel.input;
  input.inverted = order.flags & wire::INVERTED;
  input.debounce = order.debounce_us * ticks::PER_US;
  input.confirm_on = order.confirm_on_us * ticks::PER_US;
  input.confirm_off = order.confirm_off_us * ticks::PER_US;
  input.changed_at = hal::now();
  bool level = begin(pin, input);
  input.pin_on = input.level = level;
  input.kind = INPUT_CHANNEL;
  input.pin = pin;
  if (top <= order.channel) top = order.channel + 1;
  if (level) set_event_number(order.channel, true, events::edge(order.channel | wire::LEVEL, 0, input.changed_at));
  return 0;
}

uint8_t configure(const wire::OrderInput& order) {
  if (order.channel >= limits::CHANNELS) return wire::REASON_NO_ROOM;
  hal::Pin pin = hal::input_pin(order.pin);
  return pin.mask ? configure_at(order, pin) : wire::REASON_UNKNOWN;
}

uint8_t configure(const wire::OrderThreshold& order, hal::Pin pin) { return configure_at(order, pin); }

// The edges of one instant come in the order of channels.
void handle_snapshot(const snapshots::Snapshot& snapshot, uint32_t stamp) {
  uint8_t changed[limits::INPUT_PORTS], flags = snapshot.flags, ports_left = 0;
  for (uint8_t index = 0; index < limits::INPUT_PORTS; index++, flags >>= 1) {
    changed[index] = 0;
    if (!(flags & 1)) continue;
    Port& port = ports[index];
    port.silent_since = stamp;
    uint8_t others = (snapshot.levels[index] ^ port.known) & port.heard;  // pins with another level
    uint8_t pins = changed[index] = limits::PIN_FLAGS ? others | (snapshot.flagged[index] & port.heard) : others;
    if (!pins) continue;
    port.known ^= others;
    ports_left++;
  }
  Channel* channel = channels;  // a pointer, because this loop runs for every edge
  for (uint8_t number = 0; ports_left && number < top; number++, channel++) {
    Input& input = channel->input;
    if (input.kind != INPUT_CHANNEL || !(changed[input.pin.port] & input.pin.mask)) continue;
    changed[input.pin.port] ^= input.pin.mask;
    ports_left -= !changed[input.pin.port];
    if (limits::PIN_FLAGS && level_of(input, snapshot) == input.pin_on) {
      begin_again(input, stamp);
    } else {
      change(input, number, stamp);
    }
  }
}

void forget() {
  snapshots::forget();
  floods::forget();
  memset(ports, 0, sizeof(ports));
  top = 0;
}

void on_due(uint8_t channel, uint32_t at) {
  Input& input = channels[channel].input;
  if (!(ports[input.pin.port].heard & input.pin.mask)) {
    floods::on_due(channel, input.pin);
    return;
  }
  input.locked = 0;
  if (input.is_pending()) confirm(input, channel, at);
}

void mute(uint8_t channel) {
  Input& input = channels[channel].input;
  ports[input.pin.port].heard &= ~input.pin.mask;
  input.pin_on = input.level;
}

void unmute(uint8_t channel, uint32_t now) {
  Input& input = channels[channel].input;
  ports[input.pin.port].silent_since = now;
  bool level = begin(input.pin, input);
  if (level == input.pin_on) return;
  if (!is_locked_out(input, channel, now)) timer_queue::set(channel, now);
  input.pin_on = level;
  input.changed_at = now;
}

bool is_confirming(uint8_t channel) {
  const Input& input = channels[channel].input;
  return input.is_pending() && confirmation(input);
}

bool comes_before(uint8_t second, uint8_t first) {
  uint32_t a = channels[second].input.changed_at, b = channels[first].input.changed_at;
  return a == b ? second < first : ticks::before(a, b);
}

uint32_t horizon(uint32_t now) {
  {
    hal::SchedulerLock lock;
    if (snapshots::any() && ticks::before(snapshots::stamp(), now)) now = snapshots::stamp();
    now = sources::horizon(now);
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
