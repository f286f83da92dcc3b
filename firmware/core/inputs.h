// SPDX-License-Identifier: BSD-3-Clause
//
// Inputs: lock-out (debounce), confirmation, and edges in the order of channels when they come at one time.
//
// A change of a pin becomes an edge at once, or when the new level has lasted for its confirmation. The edge has the
// stamp of the change. After an edge the lock-out ignores changes; at its end a level that differs is an edge of its
// own. A pin whose flag was set may have changed for a time too short to be seen, so its confirmation begins again:
// that of the pin itself on a chip with PIN_FLAGS, else those of all pins of its port.
//
// The scheduler calls this, or the main loop under a SchedulerLock.

#pragma once

#include <stdint.h>

#include "channels.h"
#include "snapshots.h"

namespace inputs {

// Make a channel an input; return why not, or 0. If it is on already, that is an edge.
uint8_t configure(const wire::OrderInput& order);

// The same with a pin of a port of thresholds.
uint8_t configure(const wire::OrderThreshold& order, hal::Pin pin);

// Forget an input, or that of a pin, which is used for something else.
void release(uint8_t channel);
void release(hal::Pin pin);

// Forget all inputs.
void forget();

// Handle the levels that the pins had at a time.
void handle_snapshot(const snapshots::Snapshot& snapshot, uint32_t stamp);

// The timer queue's entry of an input is due: its confirmation or its lock-out ends.
void on_due(uint8_t channel, uint32_t at);

// Ignore an input, and drop a change that is not an edge yet; or count it again, with the level that its pin has now.
void mute(uint8_t channel);
void unmute(uint8_t channel, uint32_t now);

extern uint8_t top;  // channels from this one on are no inputs

// Return whether an id of the timer queue is a channel, and an input.
inline bool is_input(uint8_t id) { return id < limits::CHANNELS && channels[id].kind() == INPUT_CHANNEL; }

// Return whether an input waits for its confirmation.
bool is_confirming(uint8_t channel);

// Return whether the edge of the second of two inputs that are due at one time is reported before that of the first.
bool comes_before(uint8_t second, uint8_t first);

// Return the last time up to which all edges have been reported.
uint32_t horizon(uint32_t now);

// Keep the number of the event that reported an edge.
void set_event_number(uint8_t channel, bool level, uint16_t event);

// Return whether the last edge of an edge code (a channel, with the level in the top bit) came after event `seen`.
bool has_newer_edge(uint8_t edge_code, uint16_t seen);

// End a lock-out that is over, and forget event numbers that are so old that they could soon be taken for new ones.
void maintain(uint8_t channel, uint32_t now);

}  // namespace inputs
