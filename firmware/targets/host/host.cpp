// SPDX-License-Identifier: BSD-3-Clause
//
// This file implements core/hal.h for the tests, in virtual time: code takes no time, and only the tests advance the
// clock. Pin n is bit n % 8 of port n / 8.

#include "host.h"

#include <cstring>
#include <vector>

#include "inputs.h"
#include "limits.h"
#include "openings.h"
#include "pin_events.h"
#include "scheduler.h"
#include "ticks.h"
#include "timer_queue.h"

namespace stub {

uint32_t clock;
bool has_wakeup;
uint32_t wakeup_at;
std::deque<uint8_t> to_board, to_host;
uint8_t send_capacity;
std::function<void(uint8_t, int)> on_change;

namespace {

constexpr uint8_t PORTS = 11;  // of outputs, as many as a Mega has

uint8_t levels[limits::INPUT_PORTS], watched[limits::INPUT_PORTS];
uint8_t outputs[PORTS], is_output[PORTS], safe_levels[PORTS];
hal::Pin panic_input;
bool panic_level, panicked;
uint32_t panic_stamp;
std::deque<hal::Snapshot> snapshots;
bool voice_taken[limits::VOICES];
hal::Pin voice_pin[limits::VOICES];
uint16_t voice_hz[limits::VOICES];
uint8_t last_epoch;
uint8_t sent;                             // the index in hal::send_ring of the next byte to send
bool is_serving;                          // the scheduler is running, or locked
bool has_yielded;                         // the scheduler lets the main loop run until `wakeup_at`
bool is_tracking, has_pending_edges;      // see hal::track_edges
constexpr uint32_t MAIN_LOOP_TICKS = 80;  // 40 us: what the main loop gets when the scheduler has too much work

void check_panic_input() {
  if (panicked || !panic_input.mask || !!(levels[panic_input.port] & panic_input.mask) != panic_level) return;
  for (uint8_t number = 2; number < 8 * PORTS; number++) {
    hal::Pin pin = hal::output_pin(number);
    if (is_output[pin.port] & pin.mask) hal::drive(pin, safe_levels[pin.port] & pin.mask);
  }
  panicked = true;
  panic_stamp = clock;
}

}  // namespace

void reset(uint32_t start) {
  clock = start;
  has_wakeup = is_serving = has_yielded = is_tracking = has_pending_edges = false;
  to_board.clear();
  to_host.clear();
  snapshots.clear();
  sent = hal::reserve_index = 0;
  send_capacity = limits::SEND_RING - 1;
  std::memset(levels, 0, sizeof(levels));
  std::memset(watched, 0, sizeof(watched));
  std::memset(outputs, 0, sizeof(outputs));
  std::memset(is_output, 0, sizeof(is_output));
  std::memset(voice_taken, 0, sizeof(voice_taken));
  hal::forget_pins();
  openings::clear();
}

void set_pin(uint8_t number, bool level) {
  uint8_t place = number / 8, mask = 1 << number % 8;
  if (place >= limits::INPUT_PORTS) return;
  bool was = levels[place] & mask;
  if (was == level) return;
  levels[place] ^= mask;
  check_panic_input();
  if (!(watched[place] & mask)) return;
  has_pending_edges |= is_tracking;
  hal::Snapshot snapshot;
  snapshot.stamp = clock;
  std::memcpy(snapshot.levels, levels, limits::INPUT_PORTS);
  if (!snapshots.empty() && snapshots.back().stamp == clock) {
    snapshots.back() = snapshot;  // changes at the same time make one snapshot
  } else {
    snapshots.push_back(snapshot);
  }
}

void serve() {
  if (is_serving || (has_yielded && ticks::before(clock, wakeup_at))) return;
  is_serving = true;
  pin_events::run_due();
  has_yielded = !scheduler::run();
  if (has_yielded) hal::schedule_wakeup(clock + MAIN_LOOP_TICKS);
  is_serving = false;
}

}  // namespace stub

namespace hal {

using namespace stub;

uint32_t now() { return clock; }
void schedule_wakeup(uint32_t due) {
  uint32_t next_event = clock + pin_events::ticks_left(0x7FFF);
  has_wakeup = true;
  wakeup_at = ticks::before(next_event, due) ? next_event : due;
}
void clear_scheduler_request() {}
uint16_t now_low() { return clock; }
uint32_t extend(uint16_t tick) { return clock - static_cast<uint16_t>(static_cast<uint16_t>(clock) - tick); }
bool is_due_within_lead(uint16_t at) { return static_cast<int16_t>(at - static_cast<uint16_t>(clock)) <= 0; }
void wait_until(uint16_t) {}

void poll_pins() {}

Pin output_pin(uint8_t number) {
  if (number < 2 || number >= 70) return Pin{0, 0};
  return Pin{static_cast<uint8_t>(number / 8), static_cast<uint8_t>(1 << number % 8)};
}
Pin input_pin(uint8_t number) { return number / 8 < limits::INPUT_PORTS ? output_pin(number) : Pin{0, 0}; }
void make_output(Pin pin, bool level) {
  is_output[pin.port] |= pin.mask;
  safe_levels[pin.port] = level ? safe_levels[pin.port] | pin.mask : safe_levels[pin.port] & ~pin.mask;
  drive(pin, level);
}
void make_input(Pin pin) { watched[pin.port] |= pin.mask; }
void forget_pins() {
  std::memset(watched, 0, sizeof(watched));
  panic_input = Pin{0, 0};
  panicked = false;
}
void watch_panic(Pin pin, bool level) {
  make_input(pin);
  panic_input = pin;
  panic_level = level;
  check_panic_input();
}
bool has_panicked() { return panicked; }
uint32_t panicked_at() { return panic_stamp; }
void drive(Pin pin, bool level) {
  if (panicked || !!(stub::outputs[pin.port] & pin.mask) == level) return;
  stub::outputs[pin.port] ^= pin.mask;
  if (on_change) on_change(inputs::number_of(pin), level);
}
uint8_t read_port(uint8_t port) { return levels[port]; }
bool has_snapshot() { return !snapshots.empty(); }
void read_snapshot(Snapshot& snapshot) { snapshot = snapshots.front(); }
void drop_snapshot() { snapshots.pop_front(); }

void track_edges(bool wanted) {
  is_tracking = wanted;
  has_pending_edges = has_pending_edges || wanted;
}
bool are_edges_pending() { return has_pending_edges; }
void clear_pending_edges() { has_pending_edges = has_pending_edges && has_snapshot(); }
bool queued_edge_differs(Pin pin, bool level) {
  for (const Snapshot& snapshot : snapshots) {
    if (!!(snapshot.levels[pin.port] & pin.mask) != level) return true;
  }
  return false;
}
uint8_t alloc_voice() {
  for (uint8_t voice = 0; voice < limits::VOICES; voice++) {
    if (!voice_taken[voice]) {
      voice_taken[voice] = true;
      return voice;
    }
  }
  return limits::NO_VOICE;
}
void free_voice(uint8_t voice) { voice_taken[voice] = false; }
void prepare_tone(uint8_t voice, Pin pin, uint16_t hz) {
  voice_pin[voice] = pin;
  voice_hz[voice] = hz;
}
void start_tone(uint8_t voice) {
  if (panicked) return;
  Pin pin = voice_pin[voice];
  stub::outputs[pin.port] |= pin.mask;
  if (on_change) on_change(inputs::number_of(pin), voice_hz[voice]);
}
void stop_tone(uint8_t voice, bool rest) { drive(voice_pin[voice], rest); }

int16_t receive() {
  if (to_board.empty()) return -1;
  uint8_t byte = to_board.front();
  to_board.pop_front();
  return byte;
}
uint8_t send_capacity() { return stub::send_capacity; }
uint8_t send_ring[limits::SEND_RING], reserve_index;
void send() {
  for (; sent != reserve_index; sent = (sent + 1) % limits::SEND_RING) to_host.push_back(send_ring[sent]);
}

uint32_t uid() { return 0x5131; }
uint8_t reset_reason() { return wire::RESET_POWER; }
uint8_t& last_epoch() { return stub::last_epoch; }

void lock_scheduler() { is_serving = true; }
void unlock_scheduler() {
  is_serving = false;
  if (timer_queue::changed || has_snapshot()) serve();
}

}  // namespace hal
