// SPDX-License-Identifier: BSD-3-Clause
//
// What the interrupts of pins record: the levels of all inputs, each time that one of them has changed. The scheduler
// handles the records in order (inputs.h).
//
// An AVR has one flag for each port, which says that some pin of the port has changed; another chip may have one for
// each pin (PIN_FLAGS). A change that is over before the pins are read leaves nothing but its flag. So the flags are
// recorded too, and a confirmation counts only time in which its input's flag stayed clear.
//
// If all inputs together change too often, those that flood are muted: their interrupts are disabled until they are
// quiet (floods.h). So interrupts of pins, and what the scheduler does with their records, take at most a part of the
// chip's time, whatever the inputs do.

#pragma once

#include <stdint.h>

#include "hal.h"

namespace snapshots {

// The levels of all inputs since `at`, the low half of a time; and a bit for each port whose flag was set. LOST: there
// was no room for one or more records before this one. This one has their flags. MUTED: from here on some pins are.
// With PIN_FLAGS also the pins of these ports whose flag was set.
struct Snapshot {
  uint16_t at;
  uint8_t levels[limits::INPUT_PORTS];
  uint8_t flags;
  uint8_t flagged[limits::PIN_FLAGS ? limits::INPUT_PORTS : 0];
};
constexpr uint8_t LOST = 0x80, MUTED = 0x40;
static_assert(limits::INPUT_PORTS <= 6, "the other flags are LOST and MUTED");
static_assert(limits::PIN_FLAGS || !limits::THRESHOLD_PORTS, "thresholds of one port do not delay each other");

// --- for interrupts ---

// Record the levels of all inputs now; `at` is the low half of the time of the change. Only with interrupts off.
void record(uint16_t at, uint8_t flags);

// Forget how often pins have changed since the last call: at the latest every 32 ms, because `record` knows only the
// low half of the time.
void begin_window(uint16_t at);

// --- for the scheduler ---

// Make a record of the thresholds that have changed, which is handled at once; return false if none has. Count it
// afterwards; return whether some pins are muted from here on.
bool record_thresholds(Snapshot& snapshot);
bool count_thresholds(const Snapshot& snapshot);

// Return the levels of a port now.
uint8_t read_port(uint8_t port);

// Return whether there is one; return the oldest, and its whole time; drop it. Interrupts do not change it.
bool any();
const Snapshot& oldest();
uint32_t stamp();
void drop();

// Enable the interrupt of a pin, or disable it.
void watch(hal::Pin pin);
void unwatch(hal::Pin pin);

// The same for the panic input. It is not muted before a panic: if it floods, that is one.
void watch_panic(hal::Pin pin);

// Enable the interrupt of a muted pin until it changes; end that, and return whether the pin is quiet. Its interrupt is
// then enabled.
void begin_probe(hal::Pin pin);
bool end_probe(hal::Pin pin);

// Get the pins of each port that have been muted since the last call.
void take_muted(uint8_t (&pins)[limits::INPUT_PORTS]);

// Return how often a port was recorded in a millisecond when its pins were muted: at least 1, at most 255.
uint8_t changes_per_ms(uint8_t port);

// Disable all interrupts of pins, and forget all that was recorded.
void forget();

}  // namespace snapshots
