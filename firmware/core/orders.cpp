// SPDX-License-Identifier: BSD-3-Clause

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

constexpr uint8_t DONE = 15;   // instead of a reason
constexpr uint8_t TRIES = 20;  // so often, what was fired meanwhile is booked while a batch is prepared

uint8_t rank(uint8_t code) {
  switch (code) {
    case wire::ORDER_NOTHING:
    case wire::ORDER_CANCEL: return IDLE;
    case wire::ORDER_PANIC: return PANICS;
    case wire::ORDER_DISARM: return DISARMS;
    case wire::ORDER_LOAD: return LOADS;
    case wire::ORDER_ARM: return ARMS;
    default: return DRIVES;
  }
}

// While a batch is executed, the upper half of an order's code says why it was refused.
uint8_t code_of(const uint8_t* order) { return order[0] & 0x0F; }
uint8_t reason_of(const uint8_t* order) { return order[0] >> 4; }
static_assert(wire::ORDER_PANIC < 16 && wire::REASON_INTERLOCK < 16, "both fit one byte");

// An order and what follows it: its bytes, or 0 when it is none or is longer than `length`.
uint8_t size_of(const uint8_t* order, uint8_t length) {
  uint8_t size = length ? wire::order_size(code_of(order)) : 0;
  if (size == 0 || size > length) return 0;
  bool arms = code_of(order) == wire::ORDER_ARM;
  if (!arms && code_of(order) != wire::ORDER_LOAD) return size;
  uint8_t count = order[size - 1], head = arms ? 1 : 4;
  while (count--) {
    if (size + head >= length || !can_be_action(order[size + head])) return 0;
    uint16_t end = size + head + wire::order_size(order[size + head]);
    if (end > length) return 0;
    size = end;
  }
  return size;
}

// An order where it lies: its bytes need no alignment.
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

// Execute what comes before outputs; AGAIN when something was fired meanwhile. An edge of an input for which a group is
// armed that has come meanwhile has come before, and so may refuse it; but what was armed before is not taken back.
uint8_t prepare_one(const uint8_t* order, uint16_t seen) {
  bool arms = order[0] == wire::ORDER_ARM && !reflexes::is_armed(order[1]);
  uint8_t reason = execute_one(order, seen);
  if (reason) return reason;
  bool all = reflexes::prepare(order[1]);
  if (!all && arms && !pin_events::is_paused() && !reflexes::disarm(order[1])) reason = reflexes::AGAIN;
  pin_events::unblock_groups();
  return reason;
}

// Goes through the orders of a batch that are still to be executed, those of a rank only.
struct Walk {
  uint8_t* order;
  uint8_t count;  // of those from this one on
  uint8_t place = 0;
  bool has_begun = false;

  Walk(uint8_t* orders, uint8_t how_many) : order(orders), count(how_many) {}

  bool next(uint8_t which);
};

bool Walk::next(uint8_t which) {
  while (count) {
    if (has_begun) {
      if (--count == 0) break;
      order += size_of(order, 0xFF);
      place++;
    }
    has_begun = true;
    if (!reason_of(order) && rank(code_of(order)) == which) return true;
  }
  return false;
}

// An id outside the timer queue: of what an order of a batch does.
uint8_t name_of(uint8_t place) { return timer_queue::NONE + 1 + place; }

bool prepare_one_output(const uint8_t* order, uint8_t place) {
  if (code_of(order) < wire::ORDER_SET || code_of(order) >= wire::ORDER_START || !pin_events::has_capacity())
    return false;
  Action action;
  read_action(order, action);
  pin_events::PinAction pin_action = pin_events::no_action(true);
  outputs::describe(action, pin_action);
  return pin_events::add(name_of(place), hal::now() + pin_events::ON_CALL, pin_action);
}

void note(uint8_t* order, uint8_t reason) { order[0] |= (reason ? reason : DONE) << 4; }

// Execute what has been aimed and fired, or is executed as it stands.
void execute_prepared(uint8_t* order, uint8_t place, uint16_t seen) {
  uint32_t when;
  uint8_t name = name_of(place);
  if (pin_events::executed_at(name, when)) outputs::fired(when);
  bool is_action = can_be_action(order[0]);  // there is less stack left deeper
  note(order, is_action ? perform_order(order) : execute_one(order, seen));
  outputs::finish();
  pin_events::retire(name);
  pin_events::cancel(name);
}

void configure_panics(uint8_t* orders, uint8_t count) {
  for (Walk at(orders, count); !hal::has_panicked() && at.next(PANICS);) {
    note(at.order, configure_panic(as<wire::OrderPanic>(at.order)));
  }
}

// Disarm and arm while everything goes on; false when something that was executed must be committed first. With
// orders that load, only after scheduler::quiesce.
bool prepare(uint8_t* orders, uint8_t count, uint16_t seen) {
  for (uint8_t which = DISARMS; which <= ARMS; which <<= 1) {
    for (Walk at(orders, count); at.next(which);) {
      uint8_t reason = prepare_one(at.order, seen);
      if (reason == reflexes::AGAIN) return false;
      note(at.order, reason);
    }
  }
  return true;
}

// Aim at what outputs are to do; false when not all of it can be aimed.
bool prepare_outputs(uint8_t* orders, uint8_t count) {
  bool all = true;
  for (Walk at(orders, count); at.next(DRIVES);) all &= prepare_one_output(at.order, at.place);
  return all;
}

// Drive them, in one instant; return when. After scheduler::quiesce; pin events are resumed. If all outputs are
// executed as one, others may be executed before they are committed: what clashes waits anyway.
uint32_t finish(uint8_t* orders, uint8_t count, uint16_t seen, bool are_prepared) {
  uint32_t stamp = hal::now();
  bool goes_on = pin_events::execute_paused(timer_queue::NONE + 1, are_prepared);
  for (Walk at(orders, count); at.next(DRIVES);) execute_prepared(at.order, at.place, seen);
  if (!goes_on) pin_events::resume();
  return stamp;
}

}  // namespace

uint8_t read(const uint8_t* orders, uint8_t length, uint8_t count) {
  uint8_t ranks = IDLE;
  while (count--) {
    uint8_t size = size_of(orders, length);
    if (!size || reason_of(orders)) return 0;
    ranks |= rank(code_of(orders));
    orders += size;
    length -= size;
  }
  return length ? 0 : ranks;
}

uint32_t execute(const wire::Batch& batch, uint8_t* orders, uint8_t ranks) {
  uint32_t stamp = hal::now();
  bool prepared = false;
  if (ranks & PANICS) configure_panics(orders, batch.count);
  if (hal::has_panicked() || ranks == IDLE) return stamp;
  for (uint8_t tries = ranks & LOADS ? 0 : TRIES; tries-- && !prepared;) {
    scheduler::catch_up();
    stamp = hal::now();
    prepared = prepare(orders, batch.count, batch.seen);
  }
  if (prepared && !(ranks & DRIVES)) return stamp;
  bool are_prepared = prepared && prepare_outputs(orders, batch.count);
  scheduler::quiesce();
  if (!prepared) {
    prepare(orders, batch.count, batch.seen);
    are_prepared = prepare_outputs(orders, batch.count);
  }
  return finish(orders, batch.count, batch.seen, are_prepared);
}

bool report(uint8_t* orders, uint8_t count, uint8_t batch, uint32_t stamp) {
  bool any = false;
  for (uint8_t place = 0; place < count; place++) {
    uint8_t reason = reason_of(orders);
    if (reason && reason != DONE) {
      refuse(batch, place, reason, stamp);
      any = true;
    }
    orders += size_of(orders, 0xFF);
  }
  return any;
}

void refuse(uint8_t batch, uint8_t place, uint8_t reason, uint32_t stamp) {
  if (refused != 0xFFFF) refused++;
  events::refused(batch, place, reason, stamp);
}

}  // namespace orders
