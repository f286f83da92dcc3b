// SPDX-License-Identifier: BSD-3-Clause

#include "stub_hal.h"

#include <cstring>
#include <vector>

#include "../src/agenda.h"
#include "../src/chip.h"
#include "../src/limits.h"
#include "../src/ticks.h"

namespace stub {

uint32_t clock;
bool wakes;
uint32_t wake;
std::deque<uint8_t> to_board, to_host;
uint8_t send_room;
std::function<void(uint8_t, int)> on_change;

namespace {

constexpr uint8_t PLACES = sizeof(hal::Capture::levels), VOICES = 2;
uint8_t levels[PLACES], watched[PLACES], outputs[hal::PORTS];
std::deque<hal::Capture> captures;
bool taken[VOICES];
hal::Pin voice_pin[VOICES];
uint8_t last_epoch;
std::vector<uint8_t> drafted;
bool serving, resting;
constexpr uint32_t REST = 80;  // ticks that the loop gets when there is too much to do

uint8_t number_of(hal::Pin pin) {
  uint8_t bit = 0;
  while (pin.mask >> bit > 1) bit++;
  return 8 * pin.port + bit;
}

}  // namespace

void reset(uint32_t start) {
  clock = start;
  wakes = serving = resting = false;
  to_board.clear();
  to_host.clear();
  captures.clear();
  drafted.clear();
  send_room = limits::SEND_RING - 1;
  std::memset(levels, 0, sizeof(levels));
  std::memset(watched, 0, sizeof(watched));
  std::memset(outputs, 0, sizeof(outputs));
  std::memset(taken, 0, sizeof(taken));
}

void set_pin(uint8_t number, bool level) {
  uint8_t place = number / 8, mask = 1 << number % 8;
  bool was = levels[place] & mask;
  if (was == level) return;
  levels[place] ^= mask;
  if (!(watched[place] & mask)) return;
  hal::Capture capture;
  capture.stamp = clock;
  std::memcpy(capture.levels, levels, PLACES);
  if (!captures.empty() && captures.back().stamp == clock) {  // one look at the ports sees all of an instant
    captures.back() = capture;
  } else {
    captures.push_back(capture);
  }
}

void serve() {
  if (serving || (resting && ticks::before(clock, wake))) return;
  serving = true;
  resting = !chip::service();
  if (resting) hal::wake_at(clock + REST);
  serving = false;
}

}  // namespace stub

namespace hal {

using namespace stub;

uint32_t now() { return clock; }
void wake_at(uint32_t due) {
  wakes = true;
  wake = due;
}
void wake_never() { wakes = false; }
bool is_near(uint32_t due) { return !ticks::before(clock, due); }
bool wait_for(uint32_t due) {
  return !ticks::before(clock, due) && (captures.empty() || ticks::before(due, captures.front().stamp));
}

Pin output_pin(uint8_t number) {
  if (number < 2 || number >= 70) return Pin{0, 0};
  return Pin{static_cast<uint8_t>(number / 8), static_cast<uint8_t>(1 << number % 8)};
}
Pin input_pin(uint8_t number) { return number / 8 < PLACES ? output_pin(number) : Pin{0, 0}; }
void make_output(Pin pin, bool level) { drive(pin, level); }
void make_input(Pin pin) { watched[pin.port] |= pin.mask; }
void forget_pins() { std::memset(watched, 0, sizeof(watched)); }
void drive(Pin pin, bool level) {
  if (!!(stub::outputs[pin.port] & pin.mask) == level) return;
  stub::outputs[pin.port] ^= pin.mask;
  if (on_change) on_change(number_of(pin), level);
}
uint8_t read_port(uint8_t port) { return levels[port]; }
const Capture* oldest_capture() { return captures.empty() ? nullptr : &captures.front(); }
void drop_capture() { captures.pop_front(); }

uint8_t take_voice() {
  for (uint8_t voice = 0; voice < VOICES; voice++) {
    if (!taken[voice]) {
      taken[voice] = true;
      return voice;
    }
  }
  return limits::NONE;
}
void give_voice(uint8_t voice) { taken[voice] = false; }
void sound(uint8_t voice, Pin pin, uint16_t hz) {
  voice_pin[voice] = pin;
  stub::outputs[pin.port] |= pin.mask;
  if (on_change) on_change(number_of(pin), hz);
}
void silence(uint8_t) {}

int16_t receive() {
  if (to_board.empty()) return -1;
  uint8_t byte = to_board.front();
  to_board.pop_front();
  return byte;
}
uint8_t send_room() { return stub::send_room; }
uint8_t draft(uint8_t byte) {
  drafted.push_back(byte);
  return drafted.size() - 1;
}
void correct(uint8_t place, uint8_t byte) { drafted[place] = byte; }
void send() {
  to_host.insert(to_host.end(), drafted.begin(), drafted.end());
  drafted.clear();
}

uint32_t uid() { return 0x5131; }
uint8_t reset_reason() { return wire::RESET_POWER; }
uint8_t& last_epoch() { return stub::last_epoch; }

Lock::Lock() { serving = true; }
Lock::~Lock() {
  serving = false;
  if (agenda::changed || oldest_capture()) serve();
}

}  // namespace hal
