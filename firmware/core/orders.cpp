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
#include "sources.h"

namespace orders {

uint8_t executed;

namespace {

static_assert(sizeof(wire::Health) <= sizeof(wire::Opening), "OPENING is the longest answer but HELLO");

uint8_t received;  // the number of the last frame of the epoch

// The stamp of frame n is stamps[n % WINDOW_FRAMES], so a repeated frame gets its original stamp.
uint32_t stamps[wire::WINDOW_FRAMES];

uint8_t places;  // how many orders the earlier frames of this batch have, without the parts of others

struct {
  uint8_t answered : 3;  // how many frames of this epoch have a stamp in `stamps`
  uint8_t is_open : 1;   // a frame of a batch has come, but not its last one
  uint8_t failure : 3;   // why this batch will be refused as a whole, or 0
} state;
static_assert(wire::WINDOW_FRAMES < 1 << 3 && wire::REASON_INTERLOCK < 1 << 3, "they have three bits");

uint8_t pending_ack;  // the number of the frame whose ACK is pending

// How many events are sent before the pending ACK: up to the last REFUSED of its frame. NO_ACK if no ACK is pending.
uint8_t events_before_ack;
constexpr uint8_t NO_ACK = events::MAX_UNSENT + 1;

// The kinds of orders, in the order in which a batch executes them. OUTPUT stands for the orders that drive an output,
// or start or stop a sequence.
enum Kind : uint8_t { CONFIGURE_PANIC, DISARM, LOAD, MEMBERS, ARM, OUTPUT, NOTHING };

uint16_t code_of(const uint8_t* order) { return order[0] == wire::MORE ? order[1] << 8 | order[0] : order[0]; }

uint8_t kind_of(uint16_t code) {
  switch (code) {
    case wire::ORDER_NOTHING: return NOTHING;
    case wire::ORDER_PANIC: return CONFIGURE_PANIC;
    case wire::ORDER_DISARM: return DISARM;
    case wire::ORDER_ENTRIES:
    case wire::ORDER_LOAD: return LOAD;
    case wire::ORDER_MEMBERS: return MEMBERS;
    case wire::ORDER_ARM: return ARM;
    default: return OUTPUT;
  }
}

// Return whether an order is a part of one that follows; whether it may stand in a batch of several frames.
bool is_part(uint16_t code) { return code == wire::ORDER_MEMBERS || code == wire::ORDER_ENTRIES; }
bool can_be_divided(uint16_t code) {
  return can_be_action(code) || (code >= wire::ORDER_LOAD && code <= wire::ORDER_DISARM) || is_part(code);
}

// Return the size of an order, including its members or entries. Return 0 if the order is invalid, or longer than
// `length`. Pass 0xFF for an order that check() has accepted.
uint8_t size_of(const uint8_t* order, uint8_t length) {
  if (length == 0 || (order[0] == wire::MORE && length == 1)) return 0;
  uint16_t code = code_of(order);
  uint8_t size = wire::order_size(code);
  if (size == 0 || size > length) return 0;
  bool arms = code == wire::ORDER_ARM || code == wire::ORDER_MEMBERS;
  if (!arms && code != wire::ORDER_LOAD && code != wire::ORDER_ENTRIES) return size;
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

// Execute an order that arms no group. What happened before is handled first.
uint8_t execute_locked(const uint8_t* order, uint32_t stamp, Cause cause) {
  using frame::as;
  hal::SchedulerLock lock;
  scheduler::catch_up();
  switch (code_of(order)) {
    case wire::ORDER_PANIC: return configure_panic(as<wire::OrderPanic>(order));
    case wire::ORDER_DISARM: reflexes::disarm(order[1]); return 0;
    case wire::ORDER_LOAD: return sequences::load(order[1], order[2], order + sizeof(wire::OrderLoad), true);
    case wire::ORDER_ENTRIES: return sequences::load(order[2], order[3], order + sizeof(wire::OrderEntries), false);
    case wire::ORDER_INPUT: return inputs::configure(as<wire::OrderInput>(order));
    case wire::ORDER_OUTPUT: return outputs::configure(as<wire::OrderOutput>(order));
    // The other orders of the second table are those of sources.
    default: return order[0] == wire::MORE ? sources::configure(order) : perform(order, stamp, cause);
  }
}

uint8_t perform_locked(const Action& action, uint32_t stamp, Cause cause) {
  hal::SchedulerLock lock;
  scheduler::catch_up();
  return scheduler::perform(action, stamp, cause);
}

uint8_t add_members(const wire::OrderMembers& head, const uint8_t* members) {
  return reflexes::add_members(head.group, head.count, members);
}

// Return whether an order only switches off or stops. It need not wait, unless an order before it does: so everything
// can be switched off, however full the table is in which orders wait.
bool takes_away(const uint8_t* order) {
  return order[0] == wire::ORDER_STOP || (order[0] == wire::ORDER_SET && !(order[1] & wire::LEVEL));
}

// Keep an order until the last frame of its batch has come.
uint8_t defer(const uint8_t* order, uint8_t place) {
  uint8_t reason = 0;
  if (order[0] == wire::ORDER_ARM) {
    reason = reflexes::complete(frame::as<wire::OrderArm>(order), order + sizeof(wire::OrderArm));
  }
  return reason ? reason : sequences::defer(order, place);
}

// How far the orders of a frame are executed.
struct Pass {
  const bool is_last;   // it is the last frame of its batch
  const uint16_t seen;  // the last event that the task had read
  uint32_t stamp;       // when the outputs were driven
  bool has_driven;
  bool refuses;  // an order was refused

  void begin(uint8_t kind) {
    if (!has_driven) stamp = hal::now();
    has_driven = kind == OUTPUT;
  }

  // After a panic an order is not refused: it belongs to an epoch that is over.
  void refuse(uint8_t place, uint8_t reason) {
    if (!reason || hal::has_panicked()) return;
    hal::SchedulerLock lock;
    events::refused(Cause::of_order(begun(), place), reason, stamp);
    refuses = true;
  }
};

void execute_one(Pass& pass, uint8_t kind, const uint8_t* order, uint8_t place) {
  const Cause cause = Cause::of_order(begun(), place);
  pass.begin(kind);
  if (kind == MEMBERS) {
    state.failure = add_members(frame::as<wire::OrderMembers>(order), order + sizeof(wire::OrderMembers));
  } else if (is_part(code_of(order))) {
    state.failure = execute_locked(order, pass.stamp, cause);
  } else if (kind >= ARM && !pass.is_last && (sequences::deferred_count() || !takes_away(order))) {
    state.failure = defer(order, place);
  } else if (kind == ARM) {
    pass.refuse(place, reflexes::arm(frame::as<wire::OrderArm>(order), order + sizeof(wire::OrderArm), pass.seen));
  } else {
    pass.refuse(place, execute_locked(order, pass.stamp, cause));
  }
}

void execute_deferred(Pass& pass, uint8_t kind) {
  for (uint8_t index = 0; index < sequences::deferred_count(); index++) {
    uint8_t place;
    const Action& action = sequences::deferred_order(index, place);
    bool arms = action.code == wire::ORDER_ARM;
    if (arms != (kind == ARM)) continue;
    pass.begin(kind);
    if (arms) {
      pass.refuse(place, reflexes::arm_staged(action.params.at.sequence, pass.seen));
    } else {
      pass.refuse(place, perform_locked(action, pass.stamp, Cause::of_order(begun(), place)));
    }
  }
}

// Execute the orders of a frame in one pass. The scheduler handles what comes between two of them.
void execute(Pass& pass, const uint8_t* orders, uint8_t count) {
  for (uint8_t kind = CONFIGURE_PANIC; kind < NOTHING; kind++) {
    if (pass.is_last && kind >= ARM) execute_deferred(pass, kind);
    const uint8_t* order = orders;
    uint8_t place = places;
    for (uint8_t left = count; left-- && !state.failure; order += size_of(order, 0xFF)) {
      uint16_t code = code_of(order);
      if (kind_of(code) == kind) execute_one(pass, kind, order, place);
      place += !is_part(code);
    }
    if (state.failure || hal::has_panicked()) return;
  }
}

// Count the orders of a frame, if it can be parsed, that have a place; return why its batch is refused as a whole, or
// 0.
uint8_t check_frame(const uint8_t* orders, uint8_t length, uint8_t count, bool is_alone, uint8_t& counted) {
  counted = 0;
  if (length > wire::ROOM_BYTES || !check(orders, length, count)) return wire::REASON_UNKNOWN;
  for (; count--; orders += size_of(orders, 0xFF)) {
    uint16_t code = code_of(orders);
    if (!is_alone && !can_be_divided(code)) return wire::REASON_UNKNOWN;
    counted += !is_part(code);
  }
  return places + counted > wire::MAX_ORDERS ? wire::REASON_NO_ROOM : 0;
}

// All of a batch was executed, or it is refused as a whole. Leave nothing of it; only parts and frames leave something.
void end_batch(Pass& pass, bool has_left) {
  if (state.failure) pass.refuse(Cause::ALL_ORDERS, state.failure);
  if (has_left) {
    reflexes::end_batch();
    sequences::end_batch();
  }
  // Together: what is lost meanwhile is of this batch.
  hal::SchedulerLock lock;
  executed++;
  places = state.is_open = state.failure = 0;
}

// Take the frame that follows the last one. Return whether something was refused.
bool take(const wire::Batch& batch, const uint8_t* orders, uint8_t length) {
  Pass pass = {!(batch.count & wire::MORE_FRAMES), batch.seen, hal::now(), false, false};
  uint8_t count = batch.count & ~wire::MORE_FRAMES, counted = 0;
  bool is_alone = pass.is_last && !state.is_open;
  state.is_open = 1;
  if (!state.failure) state.failure = check_frame(orders, length, count, is_alone, counted);
  if (!state.failure) execute(pass, orders, count);
  places += counted;
  if (pass.is_last) end_batch(pass, !is_alone || counted != count);
  received++;
  stamps[received % wire::WINDOW_FRAMES] = pass.stamp;
  if (state.answered < wire::WINDOW_FRAMES) state.answered++;
  return pass.refuses;
}

}  // namespace

uint8_t begun() { return executed + state.is_open; }

void begin_epoch() {
  received = executed = places = 0;
  state.answered = state.is_open = state.failure = 0;
  events_before_ack = NO_ACK;
}

void receive(const wire::Batch& batch, const uint8_t* orders, uint8_t length) {
  uint8_t refusals_end = 0;
  bool is_next = static_cast<uint8_t>(batch.number - received) == 1;
  if (is_next && take(batch, orders, length)) refusals_end = events::unsent_count();
  bool has_stamp = static_cast<uint8_t>(received - batch.number) < state.answered && !hal::has_panicked();
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
  const wire::Ack ack = {wire::CODE_ACK, hal::last_epoch(), pending_ack, stamps[pending_ack % wire::WINDOW_FRAMES]};
  if (hal::send_capacity() < frame::framed_size(sizeof(ack))) return;
  frame::send(&ack, sizeof(ack));
  events_before_ack = NO_ACK;
}

}  // namespace orders
