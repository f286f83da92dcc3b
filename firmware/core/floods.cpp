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

// A muted input is probed PAUSE after it was muted or last probed. It is quiet if it does not change for PROBE.
constexpr uint16_t PAUSE = 4 * ticks::PER_MS, PROBE = ticks::PER_MS;

struct Port {
  uint8_t told;    // the host has been told of these pins
  uint8_t probed;  // the one that is being probed: one at a time, so that one that floods hides no other
};
Port ports[limits::INPUT_PORTS];

void wait(uint8_t channel, uint16_t ticks) { timer_queue::set(channel, hal::now() + ticks); }

// Tell the host that an input floods. Return whether it has been told; without room for that, it is later.
bool tell(uint8_t channel, hal::Pin pin) {
  Port& port = ports[pin.port];
  if (port.told & pin.mask) return true;
  if (!events::flood(channel, snapshots::changes_per_ms(pin.port), hal::now())) return false;
  port.told |= pin.mask;
  return true;
}

// Count an input again, as soon as the host can be told that it is quiet.
void end(uint8_t channel, hal::Pin pin) {
  if (!tell(channel, pin) || !events::flood(channel, 0, hal::now())) {
    wait(channel, PAUSE);
    return;
  }
  forget(pin);
  timer_queue::cancel(channel);
  inputs::unmute(channel, hal::now());
}

}  // namespace

void note() {
  uint8_t muted[limits::INPUT_PORTS];
  snapshots::take_muted(muted);
  for (uint8_t channel = 0; channel < inputs::top; channel++) {
    hal::Pin pin = channels[channel].input.pin;
    if (!inputs::is_input(channel) || !(muted[pin.port] & pin.mask)) continue;
    ports[pin.port].probed &= ~pin.mask;
    inputs::mute(channel);
    tell(channel, pin);
    wait(channel, PAUSE);
  }
}

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
  port.told &= ~pin.mask;
  port.probed &= ~pin.mask;
}

void forget() { memset(ports, 0, sizeof(ports)); }

}  // namespace floods
