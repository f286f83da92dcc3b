// SPDX-License-Identifier: BSD-3-Clause
//
// Batches of orders, which come in frames: each batch is executed exactly once, in order, and each frame acknowledged.
// The host repeats a frame until it receives the ACK. Only the main loop calls this.

#pragma once

#include <stdint.h>

#include "frame.h"
#include "messages.h"

namespace orders {

// Events leave this many bytes of the send ring free, which is enough for any answer but HELLO.
constexpr uint8_t REPLY_ROOM = frame::framed_size(sizeof(wire::Opening));

// How many batches of the epoch were executed, which is the number of the last one.
extern uint8_t executed;

// Return the number of the batch that has begun last: some of its frames may not have come yet.
uint8_t begun();

// Begin an epoch: none of its batches has been executed, and no ACK is pending.
void begin_epoch();

// Take a frame of a batch of this epoch if it is the next one. With the last frame, execute the batch. An ACK is
// pending afterwards, unless the number is wrong or there was a panic.
void receive(const wire::Batch& batch, const uint8_t* orders, uint8_t length);

// Return whether `count` orders are valid, and take exactly `length` bytes.
bool check(const uint8_t* orders, uint8_t length, uint8_t count);

bool is_ack_pending();

// Send at most one event, because bytes arrive meanwhile; then send the pending ACK if nothing delays it. While a frame
// waits for room to be answered, no event is sent that is not before the ACK.
void report(bool is_frame_waiting);

}  // namespace orders
