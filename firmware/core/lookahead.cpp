// SPDX-License-Identifier: BSD-3-Clause

#include "lookahead.h"

#include "edge_isr.h"
#include "inputs.h"
#include "outputs.h"
#include "reflexes.h"
#include "sequences.h"
#include "ticks.h"
#include "timer_queue.h"

namespace lookahead {

pin_events::PinAction edge_actions[limits::CHANNELS];

namespace {

uint8_t first_unresolved, beyond_unresolved;  // of the edges: none is that lies outside

constexpr uint16_t WINDOW = 3 * ticks::PER_MS;     // nothing further ahead is aimed:
constexpr uint16_t NOTICE = 2500 * ticks::PER_US;  // its turn comes so long before it is due
constexpr uint16_t WINDOW_AFTER = ticks::PER_MS;   // of a sequence that is aimed, what comes so soon after is, too

void forget_edge(uint8_t input) {
  edge_isr::disarm(inputs::pin_of(input));
  edge_actions[input].is_resolved = 0;
  if (input < first_unresolved) first_unresolved = input;
  if (input >= beyond_unresolved) beyond_unresolved = input + 1;
}

bool is_sequence(uint8_t id) { return id >= timer_queue::FIRST_SEQUENCE && id < timer_queue::SIZE; }

// Find out what the next edge of an input does. It is known from now on, if nothing has happened meanwhile.
pin_events::PinAction resolve_edge(uint8_t channel) {
  const Input& input = channels[channel].input;
  uint8_t place = channel | (input.level ? 0 : wire::LEVEL);
  pin_events::PinAction pin_action = pin_events::no_action(true);
  if (const Action* action = reflexes::describe(place, input.pending() ? input.changed : hal::now(), pin_action)) {
    outputs::describe(*action, pin_action);
  }
  bool opens = pin_action.mask && !pin_action.is_complex && inputs::is_resting(channel);
  hal::Pin pin = inputs::pin_of(channel);
  bool level = input.raw != input.inverted;
  hal::InterruptsOff off;
  if (hal::queued_edge_differs(pin, level)) return pin_action;
  edge_actions[channel] = pin_action;
  if (!opens) return pin_action;
  bool waits = input.locked || inputs::confirmation_of_next(input) || reflexes::is_bounded(pin_action.group);
  edge_isr::arm(channel, pin, level,
                waits                                 ? edge_isr::FILTERED
                : pin_action.port < pin_events::START ? edge_isr::FAST
                                                      : edge_isr::AT_ONCE);
  return pin_action;
}

// Tell whether the group that it ends lasts until then.
bool lasts(const pin_events::PinAction& pin_action, uint32_t stamp) {
  return !pin_action.is_resolved || pin_action.group == pin_events::NO_GROUP ||
         reflexes::lasts(pin_action.group, stamp);
}

// Aim a sequence at all that it does within so many ticks after its turn; false when there is no room for what comes
// later than that.
bool add_all(uint8_t id, uint16_t at, uint16_t within) {
  pin_events::cancel(id);
  for (uint8_t nth = 0;; nth++) {
    pin_events::PinAction pin_action;
    uint16_t after = sequences::describe(id - timer_queue::FIRST_SEQUENCE, nth, within, pin_action);
    if (after == sequences::NOTHING_MORE) return true;
    if (after && !pin_events::has_capacity()) return false;
    if (!pin_events::add(id, at + after, pin_action)) return true;
  }
}

// Prepare all that a sequence does when it is due, as one, and what it does soon after: the first may not be committed
// by then. Also what does nothing at a pin, for events are committed in turn.
void add_sequence(uint8_t id, uint16_t at) {
  pin_events::pause();
  if (!add_all(id, at, WINDOW_AFTER)) add_all(id, at, 0);
  pin_events::resume();
}

void add(uint8_t id, uint32_t due) {
  if (is_sequence(id)) {
    add_sequence(id, due);
    return;
  }
  pin_events::PinAction pin_action = of(id);
  if (!pin_action.has_effect()) {
    pin_events::cancel(id);
    return;
  }
  if (pin_events::update(id, pin_action)) return;
  if (!inputs::is_input(id)) {
    pin_events::add(id, due, pin_action);
    return;
  }
  hal::Pin pin = inputs::pin_of(id);
  bool level = channels[id].input.raw != channels[id].input.inverted;
  hal::InterruptsOff off;
  if (hal::queued_edge_differs(pin, level) || pin_events::waits(id) != pin_events::NOT_AT_ALL)
    return;  // it has gone back, or was seen
  if (pin_events::add(id, due, pin_action)) edge_isr::arm(id, pin, level, edge_isr::FILTERED);
}

// Tell whether it has a turn of which something can be known beforehand.
bool can_be_prepared(uint8_t id) { return timer_queue::is_final(id) && !is_noop(id); }

// Prepare an entry that is not prepared.
void prepare(uint8_t id, uint32_t due) {
  if (can_be_prepared(id) && pin_events::waits(id) != pin_events::PREPARED) add(id, due);
}

}  // namespace

bool is_noop(uint8_t id) {
  if (!inputs::is_input(id)) return false;
  if (!channels[id].input.pending() || (edge_actions[id].is_resolved && !edge_actions[id].has_effect())) return true;
  return !inputs::will_report(id, timer_queue::due(id));
}

pin_events::PinAction of(uint8_t id) {
  pin_events::PinAction pin_action = pin_events::no_action(true);
  if (!can_be_prepared(id)) return pin_action;
  if (inputs::is_input(id)) {
    bool is_known = edge_actions[id].is_resolved && lasts(edge_actions[id], channels[id].input.changed);
    return is_known ? edge_actions[id] : resolve_edge(id);
  }
  if (is_sequence(id)) {
    sequences::describe(id - timer_queue::FIRST_SEQUENCE, 0, 0, pin_action);
  } else {
    outputs::describe(id, pin_action);
  }
  return pin_action;
}

void invalidate(uint8_t input) {
  forget_edge(input);
  pin_events::invalidate(input);
}

void forget(uint8_t input) {
  forget_edge(input);
  pin_events::cancel(input);
}

void invalidate_output(uint8_t channel) {
  bool exclusive = channels[channel].output.exclusive;
  pin_events::invalidate_output(channel, exclusive);
  for (uint8_t input = 0; input < inputs::top; input++) {
    const pin_events::PinAction& pin_action = edge_actions[input];
    if (pin_action.channel == channel || (exclusive && pin_action.exclusive)) forget_edge(input);
  }
}

bool resolve_next() {
  for (; first_unresolved < beyond_unresolved; first_unresolved++) {
    if (edge_actions[first_unresolved].is_resolved || !inputs::is_input(first_unresolved)) continue;
    resolve_edge(first_unresolved);
    return true;
  }
  beyond_unresolved = 0;
  return false;
}

void refresh(uint8_t id) {
  if (!timer_queue::has(id) || !pin_events::has_capacity()) return;
  uint32_t due = timer_queue::due(id);
  if (ticks::before(due, hal::now() + WINDOW)) prepare(id, due);
}

uint32_t scan(uint8_t id) {
  uint32_t now = hal::now(), wake = now + ticks::HORIZON;
  for (; id != timer_queue::NONE; id = timer_queue::next(id)) {
    uint32_t due = timer_queue::due(id);
    bool is_near = ticks::before(due, now + WINDOW);
    uint32_t turn = is_near ? due : due - NOTICE;
    if (ticks::before(turn, wake)) wake = turn;
    if (!is_near) break;
    prepare(id, due);
  }
  return wake;
}

}  // namespace lookahead

void reflexes::on_change(uint8_t channel) { lookahead::invalidate(channel); }

void inputs::on_unlocked(uint8_t channel) { lookahead::invalidate(channel); }

void outputs::on_change(uint8_t channel) {
  lookahead::invalidate_output(channel);
  pin_events::retire(channel);  // the end of its pulse may have been fired, and is nothing any more
}

void outputs::on_begun(uint8_t channel) { lookahead::refresh(channel); }

bool reflexes::resolve_now(uint8_t channel) {
  if (channel >= inputs::top || !inputs::is_input(channel)) return true;
  if (!lookahead::edge_actions[channel].is_resolved) lookahead::resolve_edge(channel);
  if (timer_queue::has(channel) && lookahead::can_be_prepared(channel)) {
    uint32_t due = timer_queue::due(channel);
    if (ticks::before(due, hal::now())) return false;
    lookahead::add(channel, due);
  }
  return lookahead::edge_actions[channel].is_resolved;
}
