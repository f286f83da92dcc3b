// SPDX-License-Identifier: BSD-3-Clause

#include "lean.h"

#include "orders.h"

#include "agenda.h"
#include "aims.h"
#include "chip.h"
#include "events.h"
#include "hal.h"
#include "inputs.h"
#include "outputs.h"
#include "reflexes.h"
#include "sequences.h"
#include "volley.h"

namespace orders {

uint16_t refused;

namespace {

constexpr uint8_t LAST = 3, NEVER = 4;

uint8_t rank(uint8_t code) {
  switch (code) {
    case wire::ORDER_NOTHING:
    case wire::ORDER_CANCEL: return NEVER;
    case wire::ORDER_DISARM: return 0;
    case wire::ORDER_LOAD: return 1;
    case wire::ORDER_ARM: return 2;
    default: return LAST;
  }
}

// While a batch is executed, the upper half of an order's code says why it was refused.
uint8_t code_of(const uint8_t* order) { return order[0] & 0x0F; }
uint8_t reason_of(const uint8_t* order) { return order[0] >> 4; }
static_assert(wire::ORDER_OUTPUT < 16 && wire::REASON_INTERLOCK < 16, "both fit one byte");

// An order and what follows it: its bytes, or 0 when it is none or is longer than `length`.
uint8_t size_of(const uint8_t* order, uint8_t length) {
  uint8_t size = length ? wire::order_size(code_of(order)) : 0;
  if (size == 0 || size > length) return 0;
  bool arms = code_of(order) == wire::ORDER_ARM;
  if (!arms && code_of(order) != wire::ORDER_LOAD) return size;
  uint8_t count = order[size - 1], head = arms ? 1 : 4;
  while (count--) {
    if (size + head >= length || !can_be_deed(order[size + head])) return 0;
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

OUT_OF_LINE uint8_t perform_order(const uint8_t* order) {
  Deed deed;
  read_deed(order, deed);
  return chip::perform(deed);
}

uint8_t configure_input(const wire::OrderInput& order) {
  uint8_t reason = inputs::configure(order);
  if (!reason) aims::doubt(order.channel);
  return reason;
}

OUT_OF_LINE uint8_t execute_one(const uint8_t* order, uint16_t seen) {
  switch (order[0]) {
    case wire::ORDER_DISARM:
      reflexes::disarm(order[1]);
      return 0;
    case wire::ORDER_LOAD: return sequences::load(as<wire::OrderLoad>(order), order + sizeof(wire::OrderLoad));
    case wire::ORDER_ARM: return reflexes::arm(as<wire::OrderArm>(order), order + sizeof(wire::OrderArm), seen);
    case wire::ORDER_INPUT: return configure_input(as<wire::OrderInput>(order));
    case wire::ORDER_OUTPUT: return outputs::configure(as<wire::OrderOutput>(order));
    default: return perform_order(order);
  }
}

// Call `visit(order, place)` for all orders of a rank.
template <typename Visit>
void of_rank(uint8_t which, uint8_t* order, uint8_t count, Visit visit) {
  for (uint8_t place = 0; place < count; place++) {
    if (rank(code_of(order)) == which) visit(order, place);
    order += size_of(order, 0xFF);
  }
}

// On no agenda: what an order of a batch aims at.
uint8_t name_of(uint8_t place) { return agenda::NOBODY + 1 + place; }

OUT_OF_LINE void aim(const uint8_t* order, uint8_t place) {
  if (code_of(order) < wire::ORDER_SET || code_of(order) > wire::ORDER_TRAIN || !volley::has_room()) return;
  Deed deed;
  read_deed(order, deed);
  volley::Aim aim = volley::nothing(true);
  outputs::aim(deed, aim);
  if (aim.mask) volley::add(name_of(place), hal::now(), aim);
}

// Execute what has been aimed and fired, or is executed as it stands.
void execute_aimed(uint8_t* order, uint8_t place, uint16_t seen) {
  uint32_t when;
  bool any_pin = false, is_fired = volley::is_fired(name_of(place), when, any_pin);
  if (any_pin) outputs::fired(when);
  order[0] |= execute_one(order, seen) << 4;
  outputs::finish();
  if (is_fired) volley::close(name_of(place));
  volley::drop(name_of(place));
}

// Outputs of one batch change as one.
uint32_t execute_last(uint8_t* orders, uint8_t count, uint16_t seen) {
  chip::settle();
  of_rank(LAST, orders, count, aim);
  volley::let_go();
  uint32_t stamp = hal::now();
  volley::hold();
  of_rank(LAST, orders, count, [&](uint8_t* order, uint8_t place) { execute_aimed(order, place, seen); });
  volley::let_go();
  return stamp;
}

}  // namespace

bool can_read(const uint8_t* orders, uint8_t length, uint8_t count) {
  while (count--) {
    uint8_t size = size_of(orders, length);
    if (!size || reason_of(orders)) return false;
    orders += size;
    length -= size;
  }
  return length == 0;
}

uint32_t execute(uint8_t* orders, uint8_t count, uint8_t batch, uint16_t seen) {
  bool any_last = false;
  uint32_t stamp = hal::now();
  for (uint8_t which = 0; which < LAST; which++) {
    of_rank(which, orders, count, [&](uint8_t* order, uint8_t) {
      chip::settle();
      order[0] |= execute_one(order, seen) << 4;
      volley::let_go();
    });
  }
  of_rank(LAST, orders, count, [&](uint8_t*, uint8_t) { any_last = true; });
  if (any_last) stamp = execute_last(orders, count, seen);
  uint8_t* order = orders;
  for (uint8_t place = 0; place < count; place++) {
    if (reason_of(order)) refuse(batch, place, reason_of(order), stamp);
    order += size_of(order, 0xFF);
  }
  return stamp;
}

void refuse(uint8_t batch, uint8_t place, uint8_t reason, uint32_t stamp) {
  if (refused != 0xFFFF) refused++;
  events::refused(batch, place, reason, stamp);
}

}  // namespace orders
