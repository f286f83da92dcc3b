// SPDX-License-Identifier: BSD-3-Clause

#include "snapshots.h"

#include <string.h>

#include "sources.h"
#include "ticks.h"

namespace snapshots {

namespace {

// More than MOST records within WINDOW ticks (4.1 ms) are a flood. A record takes the chip up to 120 us, its interrupt
// and the scheduler together: so MOST of them leave it a third of its time.
constexpr uint16_t WINDOW = 8192;
constexpr uint8_t MOST = 24;

Snapshot ring[limits::SNAPSHOTS];
volatile uint8_t first, next_free;  // equal if there is none

constexpr uint8_t LAST = limits::SNAPSHOTS - 1;
inline uint8_t after(uint8_t index) { return index == LAST ? 0 : index + 1; }
inline uint8_t before(uint8_t index) { return index ? index - 1 : LAST; }

// How often a port has changed in this window. With PIN_FLAGS changes of the panic input are not counted before a
// panic.
struct Changes {
  uint8_t count;              // its records
  uint8_t ones, twos, often;  // a counter for each pin: two bits, and whether it has reached four
};

struct Port {
  uint8_t levels;   // in the last record
  uint8_t watched;  // the pins whose interrupt is enabled
  uint8_t probed;   // the one of them that is muted again as soon as it changes
  uint8_t muted;    // the pins that were muted since `take_muted`
  uint8_t per_ms;   // how often it was recorded when it was muted last
};

uint16_t began;  // this window, which has `total` records
uint8_t total;
Changes changes[limits::INPUT_PORTS];
Port ports[limits::INPUT_PORTS];
hal::Pin panic_pin;

void disable(Port& port, uint8_t index, uint8_t pins) {
  port.watched &= ~pins;
  if (!sources::has_port(index)) hal::unwatch(index, pins);
}

// Return the pin of a port that is not muted: that of the panic input, before a panic.
inline uint8_t spared(uint8_t index) { return index == panic_pin.port && !hal::has_panicked() ? panic_pin.mask : 0; }

// Count the changes of a port. Without PIN_FLAGS, one that left no trace in the levels may be that of the probed pin.
inline void count(uint8_t index, const Snapshot& snapshot) {
  Port& port = ports[index];
  Changes& of = changes[index];
  uint8_t levels = snapshot.levels[index];
  uint8_t pins = (limits::PIN_FLAGS ? snapshot.flagged[index] : levels ^ port.levels) & port.watched;
  port.levels = levels;
  if (port.probed && (pins & port.probed || (!limits::PIN_FLAGS && !pins))) {
    disable(port, index, port.probed);
    port.probed = 0;
  }
  if (limits::PIN_FLAGS) {
    pins &= ~spared(index);
    if (!pins) return;
  }
  of.count++;
  uint8_t carry = of.ones & pins;
  of.ones ^= pins;
  of.often |= of.twos & carry;
  of.twos ^= carry;
}

// Return the pins of a port that change often. If none was seen to, their changes are too short to be seen, and each
// pin of the port may be the one; with PIN_FLAGS all are seen, and it is those that have changed most.
inline uint8_t flooding(const Port& port, const Changes& of) {
  if (of.often & port.watched) return of.often & port.watched;
  if (!limits::PIN_FLAGS) return port.watched;
  return (of.twos & port.watched ? of.twos : of.ones) & port.watched;
}

// Mute the pins that flood, of the port with the most changes. The panic input is spared; if nothing else is left to
// mute, it floods itself, and that is a panic. With PIN_FLAGS it is one if nothing else has changed.
__attribute__((noinline)) void stop_flood(uint16_t at) {
  uint8_t index = 0;
  for (uint8_t other = 1; other < limits::INPUT_PORTS; other++) {
    if (changes[other].count > changes[index].count) index = other;
  }
  Port& port = ports[index];
  const Changes& of = changes[index];
  constexpr uint8_t UNITS_PER_MS = ticks::PER_MS / 256;
  uint8_t units = static_cast<uint16_t>(at - began) >> 8;
  port.per_ms = units ? of.count * UNITS_PER_MS / units : 0xFF;
  uint8_t pins = flooding(port, of) & ~spared(index);
  if (limits::PIN_FLAGS ? !of.count : !pins && port.watched) hal::panic(at);
  port.muted |= pins;
  disable(port, index, pins);
}

// Count a record; return MUTED if its pins are a flood.
inline uint8_t judge(const Snapshot& snapshot, uint16_t at, uint8_t flags) {
  if (static_cast<uint16_t>(at - began) >= WINDOW) begin_window(at);
  for (uint8_t port = 0; flags; port++, flags >>= 1) {
    if (flags & 1) count(port, snapshot);
  }
  if (++total <= MOST) return 0;
  stop_flood(at);
  begin_window(at);
  return MUTED;
}

// Add the flags of pins of a record to the one that replaces it. Bytes of ports without a flag are stale.
inline void add_flags(Snapshot& snapshot, uint8_t flags, const Snapshot& lost) {
  for (uint8_t port = 0; port < limits::INPUT_PORTS; port++) {
    if (!(flags >> port & 1)) snapshot.flagged[port] = 0;
    if (lost.flags >> port & 1) snapshot.flagged[port] |= lost.flagged[port];
  }
}

}  // namespace

void begin_window(uint16_t at) {
  began = at;
  total = 0;
  memset(changes, 0, sizeof(changes));
}

void record(uint16_t at, uint8_t flags) {
  uint8_t index = next_free, next = after(index);
  bool has_room = next != first;
  if (!has_room) index = before(index);
  Snapshot& snapshot = ring[index];
  const Snapshot replaced = snapshot;  // unless there is room
  hal::read_ports(snapshot.levels);
  snapshot.at = at;
  snapshot.flags = has_room ? flags : snapshot.flags | flags | LOST;
  if (limits::PIN_FLAGS) hal::read_flags(snapshot.flagged);
  if (has_room) next_free = next;
  snapshot.flags |= judge(snapshot, at, flags);
  // Only now, because `judge` counts the flags of this record alone.
  if (limits::PIN_FLAGS && !has_room) add_flags(snapshot, flags, replaced);
}

bool record_thresholds(Snapshot& snapshot) {
  snapshot.flags = 0;
  for (uint8_t port = sources::FIRST_PORT; port < limits::INPUT_PORTS; port++) {
    snapshot.levels[port] = sources::levels_of(port);
    uint8_t changed = (snapshot.levels[port] ^ ports[port].levels) & ports[port].watched;
    if (changed) snapshot.flags |= 1 << port;
    if (limits::PIN_FLAGS) snapshot.flagged[port] = changed;
  }
  return snapshot.flags;
}

bool count_thresholds(const Snapshot& snapshot) {
  hal::InterruptsOff off;
  return judge(snapshot, hal::now(), snapshot.flags);
}

uint8_t read_port(uint8_t port) { return sources::has_port(port) ? sources::levels_of(port) : hal::read_port(port); }

bool any() { return first != next_free; }

const Snapshot& oldest() { return ring[first]; }

uint32_t stamp() { return hal::extend(ring[first].at); }

void drop() { first = after(first); }

void watch(hal::Pin pin) {
  hal::InterruptsOff off;
  Port& port = ports[pin.port];
  uint8_t pins = pin.mask & ~port.watched;  // to watch one again would forget its last change
  port.watched |= pins;
  port.levels = (port.levels & ~pins) | (read_port(pin.port) & pins);
  if (!sources::has_port(pin.port)) hal::watch(pin.port, pins);
}

void unwatch(hal::Pin pin) {
  hal::InterruptsOff off;
  Port& port = ports[pin.port];
  port.probed &= ~pin.mask;
  if (pin.port == panic_pin.port) pin.mask &= ~panic_pin.mask;
  disable(port, pin.port, pin.mask);
}

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
  ports[pin.port].probed = pin.mask;
}

bool end_probe(hal::Pin pin) {
  hal::InterruptsOff off;
  Port& port = ports[pin.port];
  port.probed = 0;
  return port.watched & pin.mask;
}

void take_muted(uint8_t (&pins)[limits::INPUT_PORTS]) {
  hal::InterruptsOff off;
  for (uint8_t port = 0; port < limits::INPUT_PORTS; port++) {
    pins[port] = ports[port].muted;
    ports[port].muted = 0;
  }
}

uint8_t changes_per_ms(uint8_t port) { return ports[port].per_ms; }

void forget() {
  hal::InterruptsOff off;
  for (uint8_t port = 0; port < sources::FIRST_PORT; port++) hal::unwatch(port, 0xFF);
  memset(ports, 0, sizeof(ports));
  panic_pin.mask = 0;
  first = next_free;
}

}  // namespace snapshots
