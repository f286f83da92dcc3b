// SPDX-License-Identifier: BSD-3-Clause

#include "floods.h"

#include <string.h>

#include "events.h"
#include "inputs.h"
#include "snapshots.h"
#include "ticks.h"
#include "timer_queue.h"

namespace floods {

namespace {

// After this many units of 128 us (4.1 ms) the counters of changes restart.
constexpr uint8_t WINDOW = 32;

// A muted input is probed PAUSE after it was muted or last probed. It is quiet if it does not change for PROBE.
constexpr uint16_t PAUSE = 4 * ticks::PER_MS, PROBE = ticks::PER_MS;

struct Port {
  uint16_t began;             // when the counters began, in units of 128 us
  uint8_t ones, twos, often;  // a counter for each pin: two bits, and whether it has reached four
  uint8_t muted;
  uint8_t probed;  // the one of them that is being probed: one at a time, so that one that floods hides no other
  uint8_t told;    // the host has been told of these
};
Port ports[limits::INPUT_PORTS];

void wait(uint8_t channel, uint16_t ticks) { timer_queue::set(channel, hal::now() + ticks); }

// Tell the host of an input that floods; without room for that, after its next probe.
void tell(uint8_t channel, hal::Pin pin) {
  Port& port = ports[pin.port];
  if (port.told & pin.mask) return;
  if (events::flood(channel, snapshots::changes_per_ms(pin.port), hal::now())) port.told |= pin.mask;
}

void begin(uint8_t channel, hal::Pin pin) {
  inputs::mute(channel);
  ports[pin.port].muted |= pin.mask;
  wait(channel, PAUSE);
}

// Count an input again, as soon as the host can be told that it is quiet.
void end(uint8_t channel, hal::Pin pin) {
  if (ports[pin.port].told & pin.mask && !events::flood(channel, 0, hal::now())) {
    wait(channel, PAUSE);
    return;
  }
  forget(pin);
  timer_queue::cancel(channel);
  snapshots::watch(pin);
  inputs::unmute(channel, hal::now());
}

}  // namespace

void count(uint8_t index, uint8_t pins, uint32_t stamp) {
  Port& port = ports[index];
  uint16_t unit = stamp >> 8;
  if (static_cast<uint16_t>(unit - port.began) > WINDOW) {
    port.began = unit;
    port.ones = port.twos = port.often = 0;
  }
  uint8_t carry = port.ones & pins;
  port.ones ^= pins;
  port.often |= port.twos & carry;
  port.twos ^= carry;
}

// If no input was seen to change often, the changes were too short to be seen: then each may be the one that floods.
void note() {
  uint8_t muted[limits::INPUT_PORTS];
  if (!snapshots::take_muted(muted)) return;
  for (uint8_t index = 0; index < limits::INPUT_PORTS; index++) {
    uint8_t pins = muted[index];
    if (!pins) continue;
    Port& port = ports[index];
    port.probed &= ~pins;
    uint8_t often = port.often & pins;
    for (uint8_t channel = 0; channel < inputs::top; channel++) {
      hal::Pin pin = channels[channel].input.pin;
      if (!inputs::is_input(channel) || pin.port != index || !(pin.mask & pins)) continue;
      begin(channel, pin);
      if (pin.mask & often) {
        tell(channel, pin);
      } else if (often) {
        end(channel, pin);
      }
    }
  }
}

bool is_muted(hal::Pin pin) { return ports[pin.port].muted & pin.mask; }

void on_due(uint8_t channel, hal::Pin pin) {
  Port& port = ports[pin.port];
  if (port.probed == pin.mask) {
    port.probed = 0;
    if (snapshots::end_probe(pin)) {
      end(channel, pin);
    } else {
      tell(channel, pin);
      wait(channel, PAUSE);
    }
  } else {
    if (!port.probed) {
      port.probed = pin.mask;
      snapshots::begin_probe(pin);
    }
    wait(channel, PROBE);
  }
}

void forget(hal::Pin pin) {
  Port& port = ports[pin.port];
  port.muted &= ~pin.mask;
  port.told &= ~pin.mask;
  port.probed &= ~pin.mask;
}

void forget() { memset(ports, 0, sizeof(ports)); }

}  // namespace floods
