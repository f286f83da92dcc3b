// SPDX-License-Identifier: BSD-3-Clause

#include "batches.h"

#include "events.h"
#include "hal.h"
#include "orders.h"

namespace batches {

uint8_t executed;

namespace {

// A batch with a valid CRC whose orders cannot be parsed is refused as a whole: REFUSED names this order.
constexpr uint8_t ALL_ORDERS = 0xFF;

static_assert(sizeof(wire::Opening) <= sizeof(wire::Health), "HEALTH is the longest answer but HELLO");

uint8_t answered;  // how many batches of this epoch have a stamp in `stamps`

// The stamp of batch n is stamps[n % WINDOW_BATCHES], so a repeated batch gets its original stamp. Element OPENING has
// the stamp of OPENED until batch 4 replaces it. The host sends batches only after it has received OPENED.
uint32_t stamps[wire::WINDOW_BATCHES];
constexpr uint8_t OPENING = 0;

uint8_t pending_ack;  // the number of the batch whose ACK is pending

// How many events are sent before the pending ACK: up to the last REFUSED of its batch. NO_ACK if no ACK is pending.
uint8_t events_before_ack;
constexpr uint8_t NO_ACK = events::MAX_UNSENT + 1;

// Execute the batch that follows the last one. Return whether an order was refused.
bool execute_next(const wire::Batch& batch, const uint8_t* orders, uint8_t length) {
  executed++;
  uint32_t stamp = hal::now();
  bool refuses = true;
  if (orders::check(orders, length, batch.count)) {
    stamp = orders::execute(batch, orders, refuses);
  } else {
    orders::refuse(batch.number, ALL_ORDERS, wire::REASON_UNKNOWN, stamp);
  }
  stamps[executed % wire::WINDOW_BATCHES] = stamp;
  if (answered < wire::WINDOW_BATCHES) answered++;
  return refuses;
}

}  // namespace

void begin_epoch() {
  executed = answered = 0;
  events_before_ack = NO_ACK;
}

void set_opening_stamp(uint32_t stamp) { stamps[OPENING] = stamp; }

uint32_t opening_stamp() { return stamps[OPENING]; }

void receive(const wire::Batch& batch, const uint8_t* orders, uint8_t length) {
  uint8_t refusals_end = 0;
  bool is_next = static_cast<uint8_t>(batch.number - executed) == 1;
  if (is_next && execute_next(batch, orders, length)) refusals_end = events::unsent_count();
  bool has_stamp = static_cast<uint8_t>(executed - batch.number) < answered && !hal::has_panicked();
  events_before_ack = has_stamp ? refusals_end : NO_ACK;
  pending_ack = batch.number;
}

bool is_ack_pending() { return events_before_ack != NO_ACK; }

// The ACK follows the REFUSED events of its batch, but does not wait for a retransmission. An ACK without such events
// precedes all events: the next batch waits for it, and an ALL_OFF may be behind that batch.
void report(bool is_frame_waiting) {
  bool sends = events_before_ack && (!is_frame_waiting || is_ack_pending()) && events::send_next(REPLY_ROOM);
  if (!is_ack_pending()) return;
  if (sends) events_before_ack--;
  if (events_before_ack && !events::is_retransmitting()) return;
  const wire::Ack ack = {wire::CODE_ACK, hal::last_epoch(), pending_ack, stamps[pending_ack % wire::WINDOW_BATCHES]};
  if (hal::send_capacity() < frame::framed_size(sizeof(ack))) return;
  frame::send(&ack, sizeof(ack));
  events_before_ack = NO_ACK;
}

}  // namespace batches
