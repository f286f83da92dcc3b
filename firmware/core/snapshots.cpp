// SPDX-License-Identifier: BSD-3-Clause

#include "snapshots.h"

#include <string.h>

#include "ticks.h"

namespace snapshots {

volatile bool any_muted;

namespace {

// A port that is recorded more than MOST times within WINDOW ticks (4.1 ms) is flooded.
constexpr uint16_t WINDOW = 8192;
constexpr uint8_t MOST = 24, MANY = 2;

Snapshot ring[limits::SNAPSHOTS];
volatile uint8_t first, next_free;  // equal if there is none

constexpr uint8_t LAST = limits::SNAPSHOTS - 1;
inline uint8_t after(uint8_t index) { return index == LAST ? 0 : index + 1; }
inline uint8_t before(uint8_t index) { return index ? index - 1 : LAST; }

struct Port {
  uint16_t began;  // since then there were `count` records
  uint8_t count;
  uint8_t watched;  // the pins whose interrupt is enabled
  uint8_t probed;   // the one of them that is muted again as soon as it changes
  uint8_t levels;   // of that one, before
  uint8_t muted;    // the pins that were muted since `take_muted`
  uint8_t per_ms;   // how often it was recorded when it was flooded last
};

Port ports[limits::INPUT_PORTS];
hal::Pin panic_pin;

void mute(Port& port, uint8_t index, uint8_t pins) {
  port.watched &= ~pins;
  hal::unwatch(index, pins);
}

// Mute all pins of a port but the panic input, which is not muted before a panic: if it floods alone, that is one.
__attribute__((noinline)) void stop_flood(Port& port, uint8_t index, uint16_t at) {
  constexpr uint8_t PER_PART = (MOST + 1) * 1000U * ticks::PER_US / 256;
  uint8_t parts = static_cast<uint16_t>(at - port.began) >> 8;
  port.per_ms = parts ? PER_PART / parts : 0xFF;
  port.count = 0;
  uint8_t pins = port.watched;
  if (index == panic_pin.port && !hal::has_panicked()) pins &= ~panic_pin.mask;
  if (!pins && port.watched) hal::panic(at);
  port.muted |= pins;
  any_muted = true;
  mute(port, index, pins);
}

inline void count(Port& port, uint8_t index, uint8_t levels, uint16_t at) {
  if (port.probed) {
    // Another pin of the port may have changed instead.
    bool is_other = (levels ^ port.levels) & port.watched & ~port.probed;
    if (!is_other || (levels ^ port.levels) & port.probed) {
      mute(port, index, port.probed);
      port.probed = 0;
    }
    port.levels = levels;
  }
  if (static_cast<uint16_t>(at - port.began) >= WINDOW) port.began = at, port.count = 0;
  if (++port.count > MOST) stop_flood(port, index, at);
}

}  // namespace

void record(uint16_t at, uint8_t flags) {
  uint8_t index = next_free, next = after(index);
  bool has_room = next != first;
  if (!has_room) index = before(index);
  Snapshot& snapshot = ring[index];
  hal::read_ports(snapshot.levels);
  snapshot.at = at;
  snapshot.flags = has_room ? flags : snapshot.flags | flags | LOST;
  if (has_room) next_free = next;
  for (uint8_t port = 0; flags; port++, flags >>= 1) {
    if (flags & 1) count(ports[port], port, snapshot.levels[port], at);
  }
}

void forget_rates() {
  for (Port& port : ports) port.began = port.count = 0;
}

bool any() { return first != next_free; }

const Snapshot& oldest() { return ring[first]; }

uint32_t stamp() { return hal::extend(ring[first].at); }

void drop() { first = after(first); }

void watch(hal::Pin pin) {
  hal::InterruptsOff off;
  Port& port = ports[pin.port];
  uint8_t pins = pin.mask & ~port.watched;  // to watch one again would forget its last change
  port.watched |= pins;
  hal::watch(pin.port, pins);
}

void unwatch(hal::Pin pin) {
  hal::InterruptsOff off;
  Port& port = ports[pin.port];
  port.probed &= ~pin.mask;
  if (pin.port == panic_pin.port) pin.mask &= ~panic_pin.mask;
  mute(port, pin.port, pin.mask);
}

bool is_watched(hal::Pin pin) { return ports[pin.port].watched & pin.mask; }

void watch_panic(hal::Pin pin) {
  hal::InterruptsOff off;
  hal::Pin before = panic_pin;
  panic_pin.mask = 0;
  unwatch(before);
  panic_pin = pin;
  watch(pin);
}

void begin_probe(hal::Pin pin) {
  hal::InterruptsOff off;
  watch(pin);
  Port& port = ports[pin.port];
  port.probed = pin.mask;
  port.levels = hal::read_port(pin.port);
}

bool end_probe(hal::Pin pin) {
  hal::InterruptsOff off;
  ports[pin.port].probed = 0;
  return is_watched(pin);
}

bool take_muted(uint8_t (&pins)[limits::INPUT_PORTS]) {
  hal::InterruptsOff off;
  if (any()) return false;
  for (uint8_t port = 0; port < limits::INPUT_PORTS; port++) {
    pins[port] = ports[port].muted;
    ports[port].muted = 0;
  }
  any_muted = false;
  return true;
}

bool is_busy(uint8_t port) { return ports[port].count > MANY || any_muted; }

uint8_t changes_per_ms(uint8_t port) { return ports[port].per_ms; }

void forget() {
  hal::InterruptsOff off;
  for (uint8_t port = 0; port < limits::INPUT_PORTS; port++) hal::unwatch(port, 0xFF);
  memset(ports, 0, sizeof(ports));
  panic_pin.mask = 0;
  first = next_free;
}

}  // namespace snapshots
