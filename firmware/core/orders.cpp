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

uint16_t refused;

namespace {

// The kinds of orders, as bits of a mask. A batch executes them from the lowest bit to the highest. OUTPUT stands for
// the orders that drive or configure a channel, or start or stop a sequence.
enum Kind : uint8_t { PANIC = 1, DISARM = 2, LOAD = 4, ARM = 8, OUTPUT = 16, NOTHING = 32 };

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

// View bytes as an order. Orders are packed structs, which need no alignment; the firmware is compiled with
// -fno-strict-aliasing.
template <typename T>
const T& as(const uint8_t* order) {
  return *reinterpret_cast<const T*>(order);
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

uint8_t perform(const uint8_t* order, uint32_t stamp) {
  Action action;
  read_action(order, action);
  return scheduler::perform(action, stamp);
}

// Execute an order but ARM. What happened before is handled first.
uint8_t execute_locked(const uint8_t* order, uint32_t stamp) {
  hal::SchedulerLock lock;
  scheduler::catch_up();
  switch (order[0]) {
    case wire::ORDER_PANIC: return configure_panic(as<wire::OrderPanic>(order));
    case wire::ORDER_DISARM: reflexes::disarm(order[1]); return 0;
    case wire::ORDER_LOAD: return sequences::load(as<wire::OrderLoad>(order), order + sizeof(wire::OrderLoad));
    case wire::ORDER_INPUT: return inputs::configure(as<wire::OrderInput>(order));
    case wire::ORDER_OUTPUT: return outputs::configure(as<wire::OrderOutput>(order));
    default: return perform(order, stamp);
  }
}

uint8_t execute_one(const uint8_t* order, uint16_t seen, uint32_t stamp) {
  if (order[0] != wire::ORDER_ARM) return execute_locked(order, stamp);
  return reflexes::arm(as<wire::OrderArm>(order), order + sizeof(wire::OrderArm), seen);
}

}  // namespace

bool check(const uint8_t* orders, uint8_t length, uint8_t count) {
  while (count--) {
    uint8_t size = size_of(orders, length);
    if (!size) return false;
    orders += size;
    length -= size;
  }
  return !length;
}

uint32_t execute(const wire::Batch& batch, const uint8_t* orders, bool& refuses) {
  uint32_t stamp = hal::now();
  bool has_driven = false;
  refuses = false;
  for (uint8_t kind = PANIC; kind < NOTHING; kind <<= 1) {
    const uint8_t* order = orders;
    for (uint8_t index = 0; index < batch.count; index++, order += size_of(order, 0xFF)) {
      if (kind_of(order[0]) != kind) continue;
      if (!has_driven) stamp = hal::now();
      has_driven = kind == OUTPUT;
      uint8_t reason = execute_one(order, batch.seen, stamp);
      if (!reason) continue;
      refuse(batch.number, index, reason, stamp);
      refuses = true;
    }
    if (hal::has_panicked()) return stamp;
  }
  return stamp;
}

void refuse(uint8_t batch, uint8_t index, uint8_t reason, uint32_t stamp) {
  hal::SchedulerLock lock;
  if (refused != 0xFFFF) refused++;
  events::refused(batch, index, reason, stamp);
}

}  // namespace orders
