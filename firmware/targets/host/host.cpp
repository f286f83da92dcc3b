// SPDX-License-Identifier: BSD-3-Clause

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

constexpr uint8_t VOICES = 2;
uint8_t levels[limits::INPUT_PORTS], watched[limits::INPUT_PORTS], outputs[hal::PORTS], made[hal::PORTS],
    rests[hal::PORTS];
hal::Pin button;
bool button_level, panicked;
uint32_t panic_stamp;
std::deque<hal::Snapshot> snapshots;
bool taken[VOICES];
hal::Pin voice_pin[VOICES];
uint16_t voice_hz[VOICES];
uint8_t last_epoch;
uint8_t sent;  // up to here
bool serving, resting, minds, behind;
constexpr uint32_t REST = 80;  // ticks that the loop gets when there is too much to do

void look_at_button() {
  if (panicked || !button.mask || !!(levels[button.port] & button.mask) != button_level) return;
  for (uint8_t number = 2; number < 8 * hal::PORTS; number++) {
    hal::Pin pin = hal::output_pin(number);
    if (made[pin.port] & pin.mask) hal::drive(pin, rests[pin.port] & pin.mask);
  }
  panicked = true;
  panic_stamp = clock;
}

}  // namespace

void reset(uint32_t start) {
  clock = start;
  has_wakeup = serving = resting = minds = behind = false;
  to_board.clear();
  to_host.clear();
  snapshots.clear();
  sent = hal::reserved = 0;
  send_capacity = limits::SEND_RING - 1;
  std::memset(levels, 0, sizeof(levels));
  std::memset(watched, 0, sizeof(watched));
  std::memset(outputs, 0, sizeof(outputs));
  std::memset(made, 0, sizeof(made));
  std::memset(taken, 0, sizeof(taken));
  hal::forget_pins();
  openings::forget();
}

void set_pin(uint8_t number, bool level) {
  uint8_t place = number / 8, mask = 1 << number % 8;
  if (place >= limits::INPUT_PORTS) return;
  bool was = levels[place] & mask;
  if (was == level) return;
  levels[place] ^= mask;
  look_at_button();
  if (!(watched[place] & mask)) return;
  behind = minds;
  hal::Snapshot snapshot;
  snapshot.stamp = clock;
  std::memcpy(snapshot.levels, levels, limits::INPUT_PORTS);
  if (!snapshots.empty() && snapshots.back().stamp == clock) {
    snapshots.back() = snapshot;  // one look at the ports sees all of an instant
  } else {
    snapshots.push_back(snapshot);
  }
}

void serve() {
  if (serving || (resting && ticks::before(clock, wakeup_at))) return;
  serving = true;
  pin_events::run_due();
  resting = !scheduler::run();
  if (resting) hal::schedule_wakeup(clock + REST);
  serving = false;
}

}  // namespace stub

namespace hal {

using namespace stub;

uint32_t now() { return clock; }
void schedule_wakeup(uint32_t due) {
  uint32_t strike = clock + pin_events::ticks_left(0x7FFF);
  has_wakeup = true;
  wakeup_at = ticks::before(strike, due) ? strike : due;
}
void accept_requests() {}
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
  made[pin.port] |= pin.mask;
  rests[pin.port] = level ? rests[pin.port] | pin.mask : rests[pin.port] & ~pin.mask;
  drive(pin, level);
}
void make_input(Pin pin) { watched[pin.port] |= pin.mask; }
void forget_pins() {
  std::memset(watched, 0, sizeof(watched));
  button = Pin{0, 0};
  panicked = false;
}
void watch_panic(Pin pin, bool level) {
  make_input(pin);
  button = pin;
  button_level = level;
  look_at_button();
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
  minds = wanted;
  behind = behind || wanted;
}
bool are_edges_pending() { return behind; }
void edges_handled() { behind = behind && has_snapshot(); }
bool queued_edge_differs(Pin pin, bool level) {
  for (const Snapshot& snapshot : snapshots) {
    if (!!(snapshot.levels[pin.port] & pin.mask) != level) return true;
  }
  return false;
}
uint8_t alloc_voice() {
  for (uint8_t voice = 0; voice < VOICES; voice++) {
    if (!taken[voice]) {
      taken[voice] = true;
      return voice;
    }
  }
  return limits::NO_VOICE;
}
void free_voice(uint8_t voice) { taken[voice] = false; }
void prepare(uint8_t voice, Pin pin, uint16_t hz) {
  voice_pin[voice] = pin;
  voice_hz[voice] = hz;
}
void start(uint8_t voice) {
  if (panicked) return;
  Pin pin = voice_pin[voice];
  stub::outputs[pin.port] |= pin.mask;
  if (on_change) on_change(inputs::number_of(pin), voice_hz[voice]);
}
void silence(uint8_t voice, bool rest) { drive(voice_pin[voice], rest); }

int16_t receive() {
  if (to_board.empty()) return -1;
  uint8_t byte = to_board.front();
  to_board.pop_front();
  return byte;
}
uint8_t send_capacity() { return stub::send_capacity; }
uint8_t sending[limits::SEND_RING], reserved;
void send() {
  for (; sent != reserved; sent = (sent + 1) % limits::SEND_RING) to_host.push_back(sending[sent]);
}

uint32_t uid() { return 0x5131; }
uint8_t reset_reason() { return wire::RESET_POWER; }
uint8_t& last_epoch() { return stub::last_epoch; }

void lock_scheduler() { serving = true; }
void unlock_scheduler() {
  serving = false;
  if (timer_queue::changed || has_snapshot()) serve();
}

}  // namespace hal
