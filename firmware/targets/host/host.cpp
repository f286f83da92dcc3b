// SPDX-License-Identifier: BSD-3-Clause
//
// core/hal.h for the tests, in virtual time: code takes no time, and only the tests advance the clock. Pin n is bit n %
// 8 of port n / 8.

#include "host.h"

#include <cstring>

#include "kept_openings.h"
#include "scheduler.h"
#include "snapshots.h"
#include "sources.h"
#include "ticks.h"
#include "timer_queue.h"

namespace stub {

uint32_t clock;
bool has_wakeup;
uint32_t wakeup_at;
std::deque<uint8_t> to_board, to_host;
uint8_t send_capacity;
std::function<void(uint8_t, int)> on_change;
std::map<uint8_t, int32_t> values;

namespace {

constexpr uint8_t PORTS = 11;              // of outputs, as many as a Mega has
constexpr uint32_t MAIN_LOOP_TICKS = 100;  // 50 us: what the main loop gets when the scheduler has too much work

uint8_t levels[limits::INPUT_PORTS], watched[limits::INPUT_PORTS];
uint8_t unrecorded;                    // the flags of ports that have changed since the last record
uint8_t changed[limits::INPUT_PORTS];  // the pins that have
uint8_t flagged[limits::INPUT_PORTS];  // those of the last record of each port: it stays until the next one
uint8_t outputs[PORTS], is_output[PORTS], safe_levels[PORTS];
hal::Pin panic_input;
bool panic_level, panicked;
uint32_t panic_stamp;
bool voice_taken[limits::VOICES];
hal::Pin voice_pin[limits::VOICES];
uint16_t voice_hz[limits::VOICES];
uint8_t last_epoch;
uint8_t sent;      // the index in hal::send_ring of the next byte to send
bool is_serving;   // the scheduler is running, or locked
bool has_yielded;  // the scheduler lets the main loop run until `yields_until`
uint32_t yields_until;

uint8_t number_of(hal::Pin pin) {
  uint8_t bit = 0;
  while (pin.mask >> (bit + 1)) bit++;
  return 8 * pin.port + bit;
}

void check_panic_input() {
  bool is_active = panic_input.mask && !!(levels[panic_input.port] & panic_input.mask) == panic_level;
  if (is_active && !panicked) hal::panic(clock);
}

}  // namespace

void reset(uint32_t start) {
  clock = start;
  has_wakeup = is_serving = has_yielded = false;
  unrecorded = 0;
  to_board.clear();
  to_host.clear();
  sent = hal::reserve_index = 0;
  send_capacity = limits::SEND_RING - 1;
  std::memset(levels, 0, sizeof(levels));
  std::memset(watched, 0, sizeof(watched));
  std::memset(changed, 0, sizeof(changed));
  std::memset(flagged, 0, sizeof(flagged));
  std::memset(outputs, 0, sizeof(outputs));
  std::memset(is_output, 0, sizeof(is_output));
  values.clear();
  std::memset(voice_taken, 0, sizeof(voice_taken));
  hal::forget_panic();
  kept_openings::clear();
}

void set_pin(uint8_t number, bool level) {
  uint8_t port = number / 8, mask = 1 << number % 8;
  if (port >= sources::FIRST_PORT || !!(levels[port] & mask) == level) return;
  levels[port] ^= mask;
  check_panic_input();
  set_flag(number);
}

void set_flag(uint8_t number) {
  uint8_t port = number / 8, mask = 1 << number % 8;
  if (!(watched[port] & mask)) return;
  unrecorded |= 1 << port;
  changed[port] |= mask;
}

void record() {
  if (!unrecorded) return;
  for (uint8_t port = 0; port < limits::INPUT_PORTS; port++) {
    if (changed[port]) flagged[port] = changed[port];
  }
  std::memset(changed, 0, sizeof(changed));
  snapshots::record(clock, unrecorded);
  unrecorded = 0;
}

void serve() {
  if (is_serving) return;
  record();
  has_wakeup = false;
  hal::wake_by(timer_queue::make_changes());
  if (has_yielded && ticks::before(clock, yields_until)) {
    hal::wake_by(yields_until);
    return;
  }
  is_serving = true;
  has_yielded = !scheduler::run();
  is_serving = false;
  yields_until = clock + MAIN_LOOP_TICKS;
  hal::wake_by(has_yielded ? yields_until : timer_queue::make_changes());
}

}  // namespace stub

namespace hal {

using namespace stub;

uint32_t now() { return clock; }
uint32_t extend(uint16_t low) { return clock - static_cast<uint16_t>(static_cast<uint16_t>(clock) - low); }
void wake_by(uint32_t due) {
  if (has_wakeup && !ticks::before(due, wakeup_at)) return;
  has_wakeup = true;
  wakeup_at = due;
}
void poll() {}

Pin output_pin(uint8_t number) {
  if (number < 2 || number >= 70) return Pin{0, 0};
  return Pin{static_cast<uint8_t>(number / 8), static_cast<uint8_t>(1 << number % 8)};
}
Pin input_pin(uint8_t number) { return number / 8 < sources::FIRST_PORT ? output_pin(number) : Pin{0, 0}; }
void make_output(Pin pin, bool level) {
  is_output[pin.port] |= pin.mask;
  safe_levels[pin.port] = level ? safe_levels[pin.port] | pin.mask : safe_levels[pin.port] & ~pin.mask;
  drive(pin, level);
}
void make_input(Pin) {}
void drive(Pin pin, bool level) {
  if (panicked || !!(stub::outputs[pin.port] & pin.mask) == level) return;
  stub::outputs[pin.port] ^= pin.mask;
  if (on_change) on_change(number_of(pin), level);
}
uint8_t read_port(uint8_t port) { return levels[port]; }
void read_ports(uint8_t (&to)[limits::INPUT_PORTS]) { std::memcpy(to, levels, sizeof(levels)); }
void read_flags(uint8_t* pins) { std::memcpy(pins, stub::flagged, sizeof(stub::flagged)); }
void watch(uint8_t port, uint8_t pins) { watched[port] |= pins; }
void unwatch(uint8_t port, uint8_t pins) { watched[port] &= ~pins; }

void watch_panic(Pin pin, bool level) {
  panic_input = pin;
  panic_level = level;
  check_panic_input();
}
void forget_panic() {
  panic_input = Pin{0, 0};
  panicked = false;
}
void panic(uint16_t at) {
  for (uint8_t number = 2; number < 8 * PORTS; number++) {
    Pin pin{static_cast<uint8_t>(number / 8), static_cast<uint8_t>(1 << number % 8)};
    if (is_output[pin.port] & pin.mask) drive(pin, safe_levels[pin.port] & pin.mask);
  }
  panicked = true;
  panic_stamp = extend(at);
}
bool has_panicked() { return panicked; }
uint32_t panicked_at() { return panic_stamp; }

uint8_t alloc_voice(Pin pin) {
  for (uint8_t voice = 0; voice < limits::VOICES; voice++) {
    if (voice_taken[voice]) continue;
    voice_taken[voice] = true;
    voice_pin[voice] = pin;
    return voice;
  }
  return limits::NONE;
}
void free_voice(uint8_t voice) { voice_taken[voice] = false; }
void prepare_tone(uint8_t voice, uint16_t hz) { voice_hz[voice] = hz; }
void start_tone(uint8_t voice) {
  if (panicked) return;
  Pin pin = voice_pin[voice];
  stub::outputs[pin.port] |= pin.mask;
  if (on_change) on_change(number_of(pin), voice_hz[voice]);
}
void stop_tone(uint8_t voice, bool rest) { drive(voice_pin[voice], rest); }

bool make_analog(uint8_t number) { return number >= stub::FIRST_ANALOG; }
void plan_measurement(uint8_t, uint32_t) {}
int16_t measure(uint8_t number) { return values[number]; }
uint8_t begin_encoder(uint8_t pin_a, uint8_t pin_b) {
  values[pin_a] = 0;
  return pin_b == pin_a + 1 ? pin_a : limits::NONE;
}
void end_encoder(uint8_t) {}
int32_t steps(uint8_t encoder) { return values[encoder]; }

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
uint16_t power_ons() { return 7; }
uint8_t reset_reason() { return wire::RESET_POWER; }
uint8_t& last_epoch() { return stub::last_epoch; }

void lock_scheduler() { is_serving = true; }
void unlock_scheduler() {
  is_serving = false;
  if (unrecorded || (has_wakeup && !ticks::before(clock, wakeup_at))) serve();
}

}  // namespace hal
