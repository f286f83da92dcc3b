// SPDX-License-Identifier: BSD-3-Clause
//
// Batches of orders: each is executed exactly once, in order, and acknowledged. The host repeats a batch until it
// receives the ACK. Only the main loop calls this.

#pragma once

#include <stdint.h>

#include "frame.h"
#include "messages.h"

namespace orders {

// Events leave this many bytes of the send ring free, which is enough for any answer but HELLO.
constexpr uint8_t REPLY_ROOM = frame::framed_size(sizeof(wire::Opening));

// The number of the last executed batch of the epoch.
extern uint8_t executed;

// Begin an epoch: none of its batches has been executed, and no ACK is pending.
void begin_epoch();

// Execute a batch of this epoch if it is the next one. An ACK is pending afterwards,
// unless the number is wrong or there was a panic.
void receive(const wire::Batch& batch, const uint8_t* orders, uint8_t length);

// Return whether `count` orders are valid, and take exactly `length` bytes.
bool check(const uint8_t* orders, uint8_t length, uint8_t count);

bool is_ack_pending();

// Send at most one event, because bytes arrive meanwhile; then send the pending ACK if nothing delays it. While a frame
// waits for room to be answered, no event is sent that is not before the ACK.
void report(bool is_frame_waiting);

}  // namespace orders
