// SPDX-License-Identifier: BSD-3-Clause

#include "orders.h"

#include "events.h"
#include "hal.h"
#include "inputs.h"
#include "outputs.h"
#include "reflexes.h"
#include "scheduler.h"
#include "sequences.h"
#include "snapshots.h"

namespace orders {

uint8_t executed;

namespace {

static_assert(sizeof(wire::Health) <= sizeof(wire::Opening), "OPENING is the longest answer but HELLO");

uint8_t answered;  // how many batches of this epoch have a stamp in `stamps`

// The stamp of batch n is stamps[n % WINDOW_BATCHES], so a repeated batch gets its original stamp.
uint32_t stamps[wire::WINDOW_BATCHES];

uint8_t pending_ack;  // the number of the batch whose ACK is pending

// How many events are sent before the pending ACK: up to the last REFUSED of its batch. NO_ACK if no ACK is pending.
uint8_t events_before_ack;
constexpr uint8_t NO_ACK = events::MAX_UNSENT + 1;

// The kinds of orders, in the order in which a batch executes them. OUTPUT stands for the orders that drive or
// configure a channel, or start or stop a sequence.
enum Kind : uint8_t { PANIC, DISARM, LOAD, ARM, OUTPUT, NOTHING };

uint8_t kind_of(uint8_t code) {
  switch (code) {
    case wire::ORDER_NOTHING: return NOTHING;
    case wire::ORDER_PANIC: return PANIC;
    case wire::ORDER_DISARM: return DISARM;
    case wire::ORDER_LOAD: return LOAD;
    case wire::ORDER_ARM: return ARM;
    default: return OUTPUT;
  }
}

// Return the size of an order, including the members of an ARM or the entries of a LOAD. Return 0 if the order is
// invalid, or longer than `length`. Pass 0xFF for an order that check() has accepted.
uint8_t size_of(const uint8_t* order, uint8_t length) {
  uint8_t size = length ? wire::order_size(order[0]) : 0;
  if (size == 0 || size > length) return 0;
  bool arms = order[0] == wire::ORDER_ARM;
  if (!arms && order[0] != wire::ORDER_LOAD) return size;
  // A member has one byte before its order (an edge), an entry has four (a delay).
  uint8_t count = order[size - 1], head = arms ? 1 : 4;
  while (count--) {
    if (size + head >= length || !can_be_action(order[size + head])) return 0;
    uint16_t end = size + head + wire::order_size(order[size + head]);
    if (end > length) return 0;
    size = end;
  }
  return size;
}

uint8_t configure_panic(const wire::OrderPanic& order) {
  hal::Pin pin = hal::input_pin(order.pin);
  if (!pin.mask) return wire::REASON_UNKNOWN;
  inputs::release(pin);
  hal::make_input(pin);
  snapshots::watch_panic(pin);
  hal::watch_panic(pin, !(order.flags & wire::INVERTED));
  return 0;
}

uint8_t perform(const uint8_t* order, uint32_t stamp, Cause cause) {
  Action action;
  read_action(order, action);
  return scheduler::perform(action, stamp, cause);
}

// Execute an order but ARM. What happened before is handled first.
uint8_t execute_locked(const uint8_t* order, uint32_t stamp, Cause cause) {
  using frame::as;
  hal::SchedulerLock lock;
  scheduler::catch_up();
  switch (order[0]) {
    case wire::ORDER_PANIC: return configure_panic(as<wire::OrderPanic>(order));
    case wire::ORDER_DISARM: reflexes::disarm(order[1]); return 0;
    case wire::ORDER_LOAD: return sequences::load(as<wire::OrderLoad>(order), order + sizeof(wire::OrderLoad));
    case wire::ORDER_INPUT: return inputs::configure(as<wire::OrderInput>(order));
    case wire::ORDER_OUTPUT: return outputs::configure(as<wire::OrderOutput>(order));
    default: return perform(order, stamp, cause);
  }
}

uint8_t execute_one(const uint8_t* order, uint16_t seen, uint32_t stamp, Cause cause) {
  if (order[0] != wire::ORDER_ARM) return execute_locked(order, stamp, cause);
  return reflexes::arm(frame::as<wire::OrderArm>(order), order + sizeof(wire::OrderArm), seen);
}

void refuse(Cause cause, uint8_t reason, uint32_t stamp) {
  hal::SchedulerLock lock;
  events::refused(cause, reason, stamp);
}

// Execute the orders of a batch, and refuse those that cannot be executed. Return the stamp of the batch: when its
// outputs were driven. The scheduler handles what comes between two orders.
uint32_t execute(const wire::Batch& batch, const uint8_t* orders, bool& refuses) {
  uint32_t stamp = hal::now();
  bool has_driven = false;
  refuses = false;
  for (uint8_t kind = PANIC; kind < NOTHING; kind++) {
    const uint8_t* order = orders;
    for (uint8_t index = 0; index < batch.count; index++, order += size_of(order, 0xFF)) {
      if (kind_of(order[0]) != kind) continue;
      if (!has_driven) stamp = hal::now();
      has_driven = kind == OUTPUT;
      const Cause cause = Cause::of_order(batch.number, index);
      uint8_t reason = execute_one(order, batch.seen, stamp, cause);
      // After a panic an order is not refused: it belongs to an epoch that is over.
      if (!reason || hal::has_panicked()) continue;
      refuse(cause, reason, stamp);
      refuses = true;
    }
    if (hal::has_panicked()) return stamp;
  }
  return stamp;
}

// Execute the batch that follows the last one. Return whether an order was refused.
bool execute_next(const wire::Batch& batch, const uint8_t* orders, uint8_t length) {
  executed++;
  uint32_t stamp = hal::now();
  bool refuses = true;
  if (length <= wire::ROOM_BYTES && check(orders, length, batch.count)) {
    stamp = execute(batch, orders, refuses);
  } else {
    // Its CRC is valid, but its orders are too long or cannot be parsed.
    refuse(Cause::of_order(batch.number, Cause::ALL_ORDERS), wire::REASON_UNKNOWN, stamp);
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

void receive(const wire::Batch& batch, const uint8_t* orders, uint8_t length) {
  uint8_t refusals_end = 0;
  bool is_next = static_cast<uint8_t>(batch.number - executed) == 1;
  if (is_next && execute_next(batch, orders, length)) refusals_end = events::unsent_count();
  bool has_stamp = static_cast<uint8_t>(executed - batch.number) < answered && !hal::has_panicked();
  events_before_ack = has_stamp ? refusals_end : NO_ACK;
  pending_ack = batch.number;
}

bool check(const uint8_t* orders, uint8_t length, uint8_t count) {
  while (count--) {
    uint8_t size = size_of(orders, length);
    if (!size) return false;
    orders += size;
    length -= size;
  }
  return !length;
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

}  // namespace orders
