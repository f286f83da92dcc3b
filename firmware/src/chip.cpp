// SPDX-License-Identifier: BSD-3-Clause

#include "hot.h"

#include "chip.h"

#include <string.h>

#include "agenda.h"
#include "events.h"
#include "hal.h"
#include "inputs.h"
#include "outputs.h"
#include "reflexes.h"
#include "sequences.h"
#include "ticks.h"

Channel channels[limits::CHANNELS];

namespace chip {

uint16_t refused;
volatile bool loop_is_due;

namespace {

constexpr uint16_t BOOKKEEPING = 150 * ticks::PER_US;  // it takes no longer
constexpr uint8_t AT_ONCE = 12;  // so many things are done before the loop gets a chance

uint8_t rank(uint8_t code) {
  switch (code) {
    case wire::ORDER_DISARM: return 0;
    case wire::ORDER_LOAD: return 1;
    case wire::ORDER_ARM: return 2;
    default: return 3;
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

uint8_t start_at(uint8_t sequence, uint32_t stamp) {
  if (!sequences::is_loaded(sequence)) return wire::REASON_UNKNOWN;
  return ticks::before(stamp, hal::now()) ? wire::REASON_PAST : sequences::start(sequence, stamp);
}

// An order where it lies: its bytes need no alignment.
template <typename T>
const T& as(const uint8_t* order) {
  return *reinterpret_cast<const T*>(order);
}

OUT_OF_LINE uint8_t perform_order(const uint8_t* order) {
  Deed deed;
  read_deed(order, deed);
  return perform(deed);
}

OUT_OF_LINE uint8_t execute_one(const uint8_t* order, uint16_t seen) {
  switch (order[0]) {
    case wire::ORDER_DISARM:
      reflexes::disarm(order[1]);
      return 0;
    case wire::ORDER_LOAD: return sequences::load(as<wire::OrderLoad>(order), order + sizeof(wire::OrderLoad));
    case wire::ORDER_ARM: return reflexes::arm(as<wire::OrderArm>(order), order + sizeof(wire::OrderArm), seen);
    case wire::ORDER_INPUT: return inputs::configure(as<wire::OrderInput>(order));
    case wire::ORDER_OUTPUT: return outputs::configure(as<wire::OrderOutput>(order));
    default: return perform_order(order);
  }
}

void do_due(uint8_t who, uint32_t at) {
  if (who == agenda::LOOP) {
    loop_is_due = true;
    return;
  }
  if (who >= agenda::FIRST_SEQUENCE) {
    sequences::due(who - agenda::FIRST_SEQUENCE, at);
  } else if (channels[who].kind() == INPUT_CHANNEL) {
    inputs::due(who, at);
  } else {
    outputs::due(who, at);
  }
}

bool is_input(uint8_t who) { return who < limits::CHANNELS && channels[who].kind() == INPUT_CHANNEL; }

// Of inputs that are due at the same time, bring the one to the front that is to be reported first.
void choose_input() {
  uint8_t first = agenda::first(), best = first;
  if (!is_input(first)) return;
  uint32_t at = agenda::due(first);
  for (uint8_t who = agenda::behind(first); who != agenda::NOBODY; who = agenda::behind(who)) {
    if (agenda::due(who) != at) break;
    if (is_input(who) && inputs::comes_before(who, best)) best = who;
  }
  if (best != first) agenda::bring_to_front(best);
}

outputs::Shot aim(uint8_t who) {
  const Deed* deed = nullptr;
  if (!agenda::is_final(who)) return outputs::Shot{{0, 0}, false};
  if (who >= agenda::FIRST_SEQUENCE) {
    if (who != agenda::LOOP) deed = sequences::aim(who - agenda::FIRST_SEQUENCE);
  } else if (is_input(who)) {
    const Input& input = channels[who].input;
    if (inputs::will_report(who, agenda::due(who))) {
      deed = reflexes::aim(who | (input.raw ? wire::LEVEL : 0), input.changed);
    }
  } else {
    return outputs::aim(who);
  }
  return deed ? outputs::aim(*deed) : outputs::Shot{{0, 0}, false};
}

// While the books of one thing are kept, a pulse may have to end: end it first, its own books come later.
void end_in_time(uint8_t who) {
  if (who >= limits::CHANNELS || is_input(who) || !channels[who].output.on || !agenda::is_final(who)) return;
  uint32_t due = agenda::due(who);
  if (ticks::before(hal::now() + BOOKKEEPING, due)) return;
  outputs::Shot shot = outputs::aim(who);
  bool ends = shot.level == channels[who].output.inverted;
  if (shot.pin.mask && ends && hal::wait_for(due)) hal::drive(shot.pin, shot.level);
}

// Do what is due first. What it does to a pin is found out while it is not yet quite due.
void do_first() {
  choose_input();
  uint8_t who = agenda::first();
  outputs::Shot shot = aim(who);
  if (!hal::wait_for(agenda::due(who))) {  // a pin has changed meanwhile
    reflexes::forget_aim();
    return;
  }
  outputs::fire(shot);
  end_in_time(agenda::behind(who));
  uint32_t at = agenda::due(who);
  if (agenda::take_first()) do_due(who, at);
  outputs::finish();
}

void safe() {
  sequences::forget();
  reflexes::forget();
  outputs::all_off();
}

}  // namespace

uint8_t perform(const Deed& deed) {
  switch (deed.code) {
    case wire::ORDER_NOTHING:
    case wire::ORDER_CANCEL: return 0;
    case wire::ORDER_START: return sequences::start(deed.body.at.sequence, hal::now());
    case wire::ORDER_START_AT: return start_at(deed.body.at.sequence, deed.body.at.stamp);
    case wire::ORDER_STOP:
      sequences::stop(deed.body.at.sequence);
      return 0;
    default: return outputs::perform(deed);
  }
}

bool can_read(const uint8_t* orders, uint8_t length, uint8_t count) {
  while (count--) {
    uint8_t size = size_of(orders, length);
    if (!size || reason_of(orders)) return false;
    orders += size;
    length -= size;
  }
  return length == 0;
}

namespace {

// Call `visit(order, place)` for all orders: disarmings first, then loads, armings and the rest.
template <typename Visit>
void in_order(uint8_t* orders, uint8_t count, Visit visit) {
  for (uint8_t pass = 0; pass < 4; pass++) {
    uint8_t* order = orders;
    for (uint8_t place = 0; place < count; place++) {
      if (rank(code_of(order)) == pass) visit(order, place);
      order += size_of(order, 0xFF);
    }
  }
}

}  // namespace

void execute(uint8_t* orders, uint8_t count, uint8_t batch, uint16_t seen, uint32_t stamp) {
  bool any = false;
  in_order(orders, count, [&](uint8_t* order, uint8_t) {
    hal::Lock lock;
    if (uint8_t reason = execute_one(order, seen)) {
      order[0] |= reason << 4;
      any = true;
    }
  });
  if (!any) return;
  in_order(orders, count, [&](uint8_t* order, uint8_t place) {
    if (reason_of(order)) refuse(batch, place, reason_of(order), stamp);
  });
}

void refuse(uint8_t batch, uint8_t place, uint8_t reason, uint32_t stamp) {
  hal::Lock lock;
  if (refused != 0xFFFF) refused++;
  events::refused(batch, place, reason, stamp);
}

void make_safe() {
  hal::Lock lock;
  safe();
}

void forget() {
  hal::Lock lock;
  safe();
  hal::forget_pins();
  agenda::clear();
  memset(channels, 0, sizeof(channels));
  inputs::forget();
  outputs::forget();
  refused = 0;
}

bool service() {
  for (uint8_t left = AT_ONCE; left; left--) {
    uint8_t who = agenda::first();
    const hal::Capture* capture = hal::oldest_capture();
    if (capture && (who == agenda::NOBODY || !ticks::before(agenda::due(who), capture->stamp))) {
      inputs::take(*capture);
      hal::drop_capture();
    } else if (who == agenda::NOBODY) {
      hal::wake_never();
      agenda::changed = false;
      return true;
    } else if (hal::is_near(agenda::due(who))) {
      do_first();
    } else if (!hal::oldest_capture()) {
      hal::wake_at(agenda::due(who));
      agenda::changed = false;
      return true;
    }
  }
  return false;
}

void sweep(uint32_t now) {
  static uint8_t channel;
  channel = channel + 1 < limits::CHANNELS ? channel + 1 : 0;
  hal::Lock lock;
  inputs::sweep(channel);
  if (channel == 0) reflexes::sweep(now);
}

}  // namespace chip

void inputs::on_edge(uint8_t channel, bool level, uint32_t stamp) {
  uint8_t place = channel | (level ? wire::LEVEL : 0);
  uint8_t fired = reflexes::fire(place, stamp);
  inputs::number(channel, level, events::edge(place, fired, stamp));
}
