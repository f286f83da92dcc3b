// SPDX-License-Identifier: BSD-3-Clause
//
// Inputs: lock-out (debounce), confirmation, and edges in the order of channels when they come at one time.
//
// A change of a pin becomes an edge at once, or when the new level has lasted for its confirmation. The edge has the
// stamp of the change. After an edge the lock-out ignores changes; at its end a level that differs is an edge of its
// own.
//
// The scheduler calls this, or the main loop under a SchedulerLock. Interrupts call what is marked so.

#pragma once

#include <stdint.h>

#include "channels.h"

namespace inputs {

// Make a channel an input; return why not, or 0. If it is on already, that is an edge.
uint8_t configure(const wire::OrderInput& order);

// Forget the input of a pin, which is used for something else.
void unwatch(hal::Pin pin);

// Forget all inputs.
void forget();

// Handle the levels that the pins had at a time.
void handle_snapshot(const hal::Snapshot& snapshot);

// The timer queue's entry of an input is due: its confirmation or its lock-out ends.
void on_due(uint8_t channel, uint32_t at);

extern uint8_t top;  // channels from this one on are no inputs

// Return whether an id of the timer queue is a channel, and an input.
bool is_input(uint8_t id);

// Return the pin of an input, whose port is its index in a snapshot; its mask is 0 when the input has none.
hal::Pin pin_of(uint8_t channel);

// Return whether its pin has changed in a snapshot that has not been handled.
bool has_changed(uint8_t channel);

// Return whether the interrupt of the pin can handle the next change: none is pending, and its confirmation is at most
// 8 ms. A lock-out that is over ends here; the end of one that is not goes into the timer queue.
bool can_interrupt_handle(uint8_t channel);

// For interrupts: return whether its lock-out lasted at a time just past, given by its low half.
bool is_locked(uint8_t channel, uint16_t at);

// For interrupts: return how many ticks the next level of a input must last to be an edge.
inline uint16_t confirmation_of_next(const Input& input) { return input.level ? input.confirm_off : input.confirm_on; }

// For interrupts: number the pins, eight times the port plus the bit; find the channel of such a number, or NONE.
uint8_t number_of(hal::Pin pin);
uint8_t channel_at(uint8_t pin);

// Return whether the input has an edge when its entry of the timer queue is due at a time.
bool will_report(uint8_t channel, uint32_t at);

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
