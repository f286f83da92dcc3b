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

// An entry is prepared when it is due within WINDOW. The scheduler wakes for it NOTICE before it is due: that leaves
// time for all that may come first. Of a sequence, the entries within SEQUENCE_WINDOW after the first are prepared with
// it.
constexpr uint16_t WINDOW = 3 * ticks::PER_MS, NOTICE = 2500 * ticks::PER_US, SEQUENCE_WINDOW = ticks::PER_MS;

uint8_t first_unresolved;  // all inputs before this one are resolved

void forget_edge(uint8_t input) {
  edge_isr::disarm(inputs::pin_of(input));
  edge_actions[input].is_resolved = 0;
  if (input < first_unresolved) first_unresolved = input;
}

bool is_sequence(uint8_t id) { return id >= timer_queue::FIRST_SEQUENCE && id < timer_queue::SIZE; }

bool pin_level(const Input& input) { return input.pin_on != input.inverted; }

// Work out what the next edge of an input does. Let its interrupt execute that, unless the pin has changed meanwhile.
pin_events::PinAction resolve_edge(uint8_t channel) {
  const Input& input = channels[channel].input;
  uint8_t edge_code = channel | (input.level ? 0 : wire::LEVEL);
  pin_events::PinAction pin_action = pin_events::no_action(true);
  if (const Action* action =
          reflexes::describe(edge_code, input.is_pending() ? input.changed_at : hal::now(), pin_action)) {
    outputs::describe(*action, pin_action);
  }
  bool arms = pin_action.mask && !pin_action.is_complex && inputs::can_interrupt_handle(channel);
  hal::Pin pin = inputs::pin_of(channel);
  hal::InterruptsOff off;
  if (hal::queued_edge_differs(pin, pin_level(input))) return pin_action;
  edge_actions[channel] = pin_action;
  if (!arms) return pin_action;
  bool waits = input.locked || inputs::confirmation_of_next(input) || reflexes::is_bounded(pin_action.group);
  edge_isr::arm(pin, pin_level(input), waits ? edge_isr::FILTERED : edge_isr::AT_ONCE);
  return pin_action;
}

// Return whether the group that an action ends is still armed at a time.
bool lasts(const pin_events::PinAction& pin_action, uint32_t stamp) {
  return pin_action.group == pin_events::NO_GROUP || reflexes::lasts(pin_action.group, stamp);
}

// Prepare the next entry of a sequence and those at most `within` ticks after it. Return false if the queue has no room
// for the later ones.
bool add_entries(uint8_t id, uint16_t at, uint16_t within) {
  pin_events::cancel(id);
  for (uint8_t nth = 0;; nth++) {
    pin_events::PinAction pin_action;
    uint16_t after = sequences::describe(id - timer_queue::FIRST_SEQUENCE, nth, within, pin_action);
    if (after == sequences::NOTHING_MORE) return true;
    if (after && !pin_events::has_capacity()) return false;
    if (!pin_events::add(id, at + after, pin_action)) return true;
  }
}

// Prepare all that a sequence does at one time, and what follows soon: the scheduler may not have committed the first
// by then. An entry that changes no pin is prepared too, because entries are committed in order.
// While an entry is executed and not committed nothing is prepared: the sequence still stands at that entry.
void add_sequence(uint8_t id, uint16_t at) {
  pin_events::pause();
  bool is_executed = pin_events::is_executed(id);  // while paused, or an entry may be executed behind this line
  if (!is_executed && !add_entries(id, at, SEQUENCE_WINDOW)) add_entries(id, at, 0);
  pin_events::resume();
}

void add(uint8_t id, uint32_t due) {
  if (is_sequence(id)) {
    add_sequence(id, due);
    return;
  }
  pin_events::PinAction pin_action = describe(id);
  hal::InterruptsOff off;
  if (pin_events::is_executed(id)) return;
  pin_events::cancel(id);
  if (!pin_action.has_effect()) return;
  if (!inputs::is_input(id)) {
    pin_events::add(id, due, pin_action);
    return;
  }
  // The input waits for its confirmation. Its interrupt cancels the event if the pin goes back before.
  hal::Pin pin = inputs::pin_of(id);
  bool level = pin_level(channels[id].input);
  if (hal::queued_edge_differs(pin, level)) return;
  if (pin_events::add(id, due, pin_action)) edge_isr::arm(pin, level, edge_isr::FILTERED);
}

// Return whether an entry will do something that can be known before it is due.
bool can_be_prepared(uint8_t id) { return timer_queue::is_final(id) && !is_noop(id); }

void prepare(uint8_t id, uint32_t due) {
  if (can_be_prepared(id) && !pin_events::is_prepared(id)) add(id, due);
}

}  // namespace

bool is_noop(uint8_t id) {
  if (!inputs::is_input(id)) return false;
  if (!channels[id].input.is_pending() || (edge_actions[id].is_resolved && !edge_actions[id].has_effect())) return true;
  return !inputs::will_report(id, timer_queue::due(id));
}

pin_events::PinAction describe(uint8_t id) {
  pin_events::PinAction pin_action = pin_events::no_action(true);
  if (!can_be_prepared(id)) return pin_action;
  if (inputs::is_input(id)) {
    bool is_known = edge_actions[id].is_resolved && lasts(edge_actions[id], channels[id].input.changed_at);
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
  pin_events::retire(channel);  // an executed end of its pulse means nothing any more
}

bool resolve_next() {
  for (; first_unresolved < inputs::top; first_unresolved++) {
    if (edge_actions[first_unresolved].is_resolved || !inputs::is_input(first_unresolved)) continue;
    resolve_edge(first_unresolved);
    return true;
  }
  return false;
}

bool resolve_now(uint8_t input) {
  if (input >= inputs::top || !inputs::is_input(input)) return true;
  if (!edge_actions[input].is_resolved) resolve_edge(input);
  if (timer_queue::has(input) && can_be_prepared(input)) {
    uint32_t due = timer_queue::due(input);
    if (ticks::before(due, hal::now())) return false;
    add(input, due);
  }
  return edge_actions[input].is_resolved;
}

void refresh(uint8_t id) {
  if (!timer_queue::has(id) || !pin_events::has_capacity()) return;
  uint32_t due = timer_queue::due(id);
  if (ticks::before(due, hal::now() + WINDOW)) prepare(id, due);
}

uint32_t scan() {
  uint32_t now = hal::now(), wake = now + ticks::HORIZON;
  for (uint8_t id = timer_queue::first(); id != timer_queue::NONE; id = timer_queue::next(id)) {
    uint32_t due = timer_queue::due(id);
    bool is_near = ticks::before(due, now + WINDOW);
    uint32_t needed = is_near ? due : due - NOTICE;
    if (ticks::before(needed, wake)) wake = needed;
    if (!is_near) break;
    prepare(id, due);
  }
  return wake;
}

}  // namespace lookahead
