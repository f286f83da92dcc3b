// SPDX-License-Identifier: BSD-3-Clause
//
// The ring of events for the host. The board numbers each event, keeps it until the host acknowledges it, and
// retransmits it by go-back-n until then (docs/decisions/go-back-n.md). The scheduler appends events, or the main loop
// under a SchedulerLock. Only the main loop calls the other functions. Stamps are ticks.

#pragma once

#include <stdint.h>

#include "cause.h"
#include "messages.h"

namespace events {

// Counters since OPEN, for HEALTH. They stop at their largest value.
struct Counters {
  uint16_t resent;   // events that were sent again
  uint16_t lost;     // events for which the ring had no free slot
  uint16_t refused;  // orders and entries of sequences that were refused
};
extern Counters counters;

// Discard all events, reset the counters and number events from 1; or discard all further events until then.
// `resend_ms` is the first wait for an acknowledgement.
void open(uint16_t resend_ms);
void close();

// Return the number of the last event, modulo 2^16.
uint16_t last_number();

// Report lost events also if no event follows; return the number of the last event, with those that wait for a free
// slot. For the answer to ALL_OFF: the host reads up to that event.
uint16_t end();

// Append an event. edge() returns its number. `edge_code` is the channel, with the level in bit 7; `fired` is the group
// that the edge fired, or 0. If the ring is full, edge() returns the last number plus 1. The host cannot have read such
// an event, so the board refuses to arm a group over this edge.
uint16_t edge(uint8_t edge_code, uint8_t fired, uint32_t stamp);
void time(uint32_t stamp, uint8_t executed);
void started(uint8_t sequence, Cause cause, uint32_t stamp);
void done(uint8_t channel, uint8_t why, uint32_t stamp);
void refused(Cause cause, uint8_t reason, uint32_t stamp);
void on(uint8_t channel, Cause cause, uint32_t stamp);

// Append a FLOOD; return whether there was room.
bool flood(uint8_t channel, uint8_t per_ms, uint32_t stamp);

// Append a LEASE or a PANIC. If the ring is full, they are kept beside it until there is a free slot: they are never
// lost. `epoch` is the new epoch; `executed` is the last executed batch of the old one. A PANIC has the stamp
// hal::panicked_at().
void lease(uint8_t epoch, uint8_t executed, uint32_t stamp);
void panic(uint8_t epoch, uint8_t executed);

// Remove the events up to `number`, which the host has acknowledged. Ignore a number that is not in the ring.
void acknowledge(uint16_t number, uint32_t now);

// Start a retransmission if the host has not acknowledged the oldest sent event in time.
void start_retransmission(uint32_t now);

// Send one event: the next one of a retransmission, otherwise the oldest unsent one. Send nothing if the send ring
// would then have fewer than `reserve` free bytes. Return true if an event was sent for the first time.
bool send_next(uint8_t reserve);

// Return how many events were never sent, at most MAX_UNSENT.
constexpr uint8_t MAX_UNSENT = 0xFE;
uint8_t unsent_count();

// Return whether a retransmission is under way; whether send_next() has an event to send.
bool is_retransmitting();
bool has_to_send();

// Return whether the ring holds an event that the host has not acknowledged, and when the current wait for that ends.
bool any_unacknowledged();
uint32_t retransmit_at();

}  // namespace events
