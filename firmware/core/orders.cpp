// SPDX-License-Identifier: BSD-3-Clause
//
// A batch is executed in two parts. The orders that disarm, load and arm come first. Then the outputs are driven in one
// pass; where possible their pin events are prepared, so that they follow one another within a few microseconds.

#include "orders.h"

#include "events.h"
#include "hal.h"
#include "inputs.h"
#include "lookahead.h"
#include "outputs.h"
#include "pin_events.h"
#include "reflexes.h"
#include "scheduler.h"
#include "sequences.h"
#include "timer_queue.h"

namespace orders {

uint16_t refused;

namespace {

// The result of an order that was executed, in place of the reason of a refusal. A result has 4 bits.
constexpr uint8_t DONE = 14;

// How often execute() tries to prepare a batch while pin events go on. A pin event that is executed meanwhile spoils a
// try. After the last try execute() pauses all pin events instead.
constexpr uint8_t TRIES = 20;

uint8_t kind_of(uint8_t code) {
  switch (code) {
    case wire::ORDER_NOTHING: return KIND_NOTHING;
    case wire::ORDER_PANIC: return KIND_PANIC;
    case wire::ORDER_DISARM: return KIND_DISARM;
    case wire::ORDER_LOAD: return KIND_LOAD;
    case wire::ORDER_ARM: return KIND_ARM;
    default: return KIND_OUTPUT;
  }
}

// The upper half of an order's code byte is its result: 0 before the order is executed, then DONE or the reason of the
// refusal.
uint8_t code_of(const uint8_t* order) { return order[0] & 0x0F; }
uint8_t reason_of(const uint8_t* order) { return order[0] >> 4; }
static_assert(wire::ORDER_PANIC < 16 && wire::REASON_INTERLOCK < 16, "a code and a result fit one byte");

// Return the size of an order, including the members of an ARM or the entries of a LOAD. Return 0 if the order is
// invalid, or longer than `length`. Pass 0xFF for an order that check() has accepted.
uint8_t size_of(const uint8_t* order, uint8_t length) {
  uint8_t size = length ? wire::order_size(code_of(order)) : 0;
  if (size == 0 || size > length) return 0;
  bool arms = code_of(order) == wire::ORDER_ARM;
  if (!arms && code_of(order) != wire::ORDER_LOAD) return size;
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

// View bytes as an order. Orders are packed structs, which need no alignment; the firmware is compiled with
// -fno-strict-aliasing.
template <typename T>
const T& as(const uint8_t* order) {
  return *reinterpret_cast<const T*>(order);
}

uint8_t perform_order(const uint8_t* order) {
  Action action;
  read_action(order, action);
  return scheduler::perform(action);
}

uint8_t configure_input(const wire::OrderInput& order) {
  uint8_t reason = inputs::configure(order);
  if (!reason) lookahead::invalidate(order.channel);
  return reason;
}

uint8_t configure_panic(const wire::OrderPanic& order) {
  hal::Pin pin = hal::input_pin(order.pin);
  if (!pin.mask) return wire::REASON_UNKNOWN;
  hal::watch_panic(pin, !(order.flags & wire::INVERTED));
  return 0;
}

uint8_t execute_one(const uint8_t* order, uint16_t seen) {
  switch (order[0]) {
    case wire::ORDER_DISARM: return reflexes::disarm(order[1]);
    case wire::ORDER_LOAD: return sequences::load(as<wire::OrderLoad>(order), order + sizeof(wire::OrderLoad));
    case wire::ORDER_ARM: return reflexes::arm(as<wire::OrderArm>(order), order + sizeof(wire::OrderArm), seen);
    case wire::ORDER_INPUT: return configure_input(as<wire::OrderInput>(order));
    case wire::ORDER_OUTPUT: return outputs::configure(as<wire::OrderOutput>(order));
    default: return perform_order(order);
  }
}

// Execute a DISARM, a LOAD or an ARM. Return 0, the reason of the refusal, or AGAIN if what came meanwhile must be
// handled first. If an edge of a member comes during the arming, a new group is disarmed again: the next try finds the
// edge and refuses the order. A group that was armed before stays armed.
uint8_t prepare_one(const uint8_t* order, uint16_t seen) {
  bool is_new = order[0] == wire::ORDER_ARM && !reflexes::is_armed(order[1]);
  uint8_t reason = execute_one(order, seen);
  if (reason || order[0] != wire::ORDER_ARM) return reason;
  bool all = reflexes::prepare(order[1]);
  if (!all && is_new && !pin_events::is_paused() && !reflexes::disarm(order[1])) reason = reflexes::AGAIN;
  pin_events::unblock_groups();
  return reason;
}

// Iterates over the orders of a batch that are not executed yet.
struct OrderIterator {
  uint8_t* order;     // the current order
  uint8_t count;      // the number of orders from the current one to the end
  uint8_t index = 0;  // the index of the current order in its batch
  bool has_begun = false;

  OrderIterator(uint8_t* orders, uint8_t how_many) : order(orders), count(how_many) {}

  // Go to the next order of a kind. Return false if there is none.
  bool next(uint8_t which);
};

bool OrderIterator::next(uint8_t which) {
  while (count) {
    if (has_begun) {
      if (--count == 0) break;
      order += size_of(order, 0xFF);
      index++;
    }
    has_begun = true;
    if (!reason_of(order) && kind_of(code_of(order)) == which) return true;
  }
  return false;
}

// Return an id for the pin event of an order. It is above all ids of the timer queue, which has no entry for it.
uint8_t event_id(uint8_t index) { return timer_queue::NONE + 1 + index; }

// Prepare the pin event of an order that drives an output. Its time is so far ahead that only execute_paused() executes
// it. Return false if that is not possible.
bool prepare_one_output(const uint8_t* order, uint8_t index) {
  if (code_of(order) < wire::ORDER_SET || code_of(order) >= wire::ORDER_START || !pin_events::has_capacity())
    return false;
  Action action;
  read_action(order, action);
  pin_events::PinAction pin_action = pin_events::no_action(true);
  outputs::describe(action, pin_action);
  return pin_events::add(event_id(index), hal::now() + pin_events::ON_CALL, pin_action);
}

void set_result(uint8_t* order, uint8_t reason) { order[0] |= (reason ? reason : DONE) << 4; }

// Execute an order of the kind KIND_OUTPUT. If its pin event was already executed, commit it. A sync code has no pin
// event yet; it counts its times from the stamp of the batch, so that the host knows them.
void execute_or_commit(uint8_t* order, uint8_t index, uint32_t stamp) {
  uint8_t id = event_id(index);
  if (pin_events::executed_at(id, stamp) || order[0] == wire::ORDER_CODE) outputs::begin_commit(stamp);
  bool is_action = can_be_action(order[0]);  // calling perform_order() without execute_one() saves stack
  set_result(order, is_action ? perform_order(order) : execute_one(order, 0));  // only an ARM looks at what was seen
  outputs::end_commit();
  pin_events::retire(id);
  pin_events::cancel(id);
}

void configure_panics(uint8_t* orders, uint8_t count) {
  for (OrderIterator it(orders, count); !hal::has_panicked() && it.next(KIND_PANIC);) {
    set_result(it.order, configure_panic(as<wire::OrderPanic>(it.order)));
  }
}

// Execute the orders that disarm, load and arm. Pin events may go on meanwhile, except if a sequence is loaded: then
// the caller has called scheduler::quiesce(). Return false if an executed pin event must be committed first.
bool prepare(uint8_t* orders, uint8_t count, uint16_t seen) {
  for (uint8_t which = KIND_DISARM; which <= KIND_ARM; which <<= 1) {
    for (OrderIterator it(orders, count); it.next(which);) {
      uint8_t reason = prepare_one(it.order, seen);
      if (reason == reflexes::AGAIN) return false;
      set_result(it.order, reason);
    }
  }
  return true;
}

// Prepare the pin events of all orders that drive outputs. Return false if one of them could not be prepared.
bool prepare_outputs(uint8_t* orders, uint8_t count) {
  bool all = true;
  for (OrderIterator it(orders, count); it.next(KIND_OUTPUT);) all &= prepare_one_output(it.order, it.index);
  return all;
}

// Drive all outputs in one pass, commit them and resume pin events. Return the stamp of the pass. The caller has called
// scheduler::quiesce(). If all outputs were prepared and executed, other pin events resume before these are committed:
// an event that clashes with an uncommitted one waits by itself.
uint32_t drive_outputs(uint8_t* orders, uint8_t count, bool are_prepared) {
  uint32_t stamp = hal::now();
  bool resumed = pin_events::execute_paused(timer_queue::NONE + 1, are_prepared);
  for (OrderIterator it(orders, count); it.next(KIND_OUTPUT);) execute_or_commit(it.order, it.index, stamp);
  if (!resumed) pin_events::resume();
  return stamp;
}

}  // namespace

uint8_t check(const uint8_t* orders, uint8_t length, uint8_t count) {
  uint8_t kinds = KIND_NOTHING;
  while (count--) {
    uint8_t size = size_of(orders, length);
    if (!size || reason_of(orders)) return 0;
    kinds |= kind_of(code_of(orders));
    orders += size;
    length -= size;
  }
  return length ? 0 : kinds;
}

uint32_t execute(const wire::Batch& batch, uint8_t* orders, uint8_t kinds) {
  uint32_t stamp = hal::now();
  bool prepared = false;
  if (kinds & KIND_PANIC) configure_panics(orders, batch.count);
  if (hal::has_panicked() || kinds == KIND_NOTHING) return stamp;
  // Loading moves the entries of other sequences, so it is done only while pin events are paused, below.
  for (uint8_t tries = kinds & KIND_LOAD ? 0 : TRIES; tries-- && !prepared;) {
    scheduler::catch_up();
    stamp = hal::now();
    prepared = prepare(orders, batch.count, batch.seen);
  }
  if (prepared && !(kinds & KIND_OUTPUT)) return stamp;
  bool are_prepared = prepared && prepare_outputs(orders, batch.count);
  scheduler::quiesce();
  if (!prepared) {
    prepare(orders, batch.count, batch.seen);
    are_prepared = prepare_outputs(orders, batch.count);
  }
  return drive_outputs(orders, batch.count, are_prepared);
}

bool report(uint8_t* orders, uint8_t count, uint8_t batch, uint32_t stamp) {
  bool any = false;
  for (uint8_t index = 0; index < count; index++) {
    uint8_t reason = reason_of(orders);
    if (reason && reason != DONE) {
      refuse(batch, index, reason, stamp);
      any = true;
    }
    orders += size_of(orders, 0xFF);
  }
  return any;
}

void refuse(uint8_t batch, uint8_t index, uint8_t reason, uint32_t stamp) {
  if (refused != 0xFFFF) refused++;
  events::refused(batch, index, reason, stamp);
}

}  // namespace orders
