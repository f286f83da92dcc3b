// SPDX-License-Identifier: BSD-3-Clause

#include "pin_events.h"

#include <string.h>

namespace pin_events {

namespace {

struct PinEvent {
  uint16_t at;  // the low half of the time at which it is due, or was executed
  uint8_t id;
  PinAction pin_action;
};

// One array holds both kinds, each in the order of time: executed events from its beginning, prepared ones up to its
// end. So no event moves when another is executed.
constexpr uint8_t SIZE = limits::PIN_EVENTS;
PinEvent queue[SIZE];
volatile uint8_t next;           // the index of the next prepared event; SIZE: there is none
volatile uint8_t executed;       // how many events are executed and not committed
volatile uint8_t pauses;         // how often the queue is paused, plus OVERFLOW
volatile uint8_t blocked_group;  // the group that is being armed, or NOTHING_BLOCKED

constexpr uint8_t OVERFLOW = 0x80;  // an event found no room

// Return the index of the next event of an id from `index` on, or `beyond`.
uint8_t find(uint8_t id, uint8_t index, uint8_t beyond) {
  while (index != beyond && queue[index].id != id) index++;
  return index;
}

// Move the prepared events before `index` up by one, over it.
void close_gap(uint8_t index) { memmove(&queue[next + 1], &queue[next], (index - next) * sizeof(PinEvent)); }

}  // namespace

// --- preparing ---

void clear() {
  hal::InterruptsOff off;
  next = SIZE, executed = 0, pauses = 0, blocked_group = NOTHING_BLOCKED;
}

bool has_capacity() { return next != executed; }

bool add(uint8_t id, uint16_t at, const PinAction& pin_action) {
  hal::InterruptsOff off;
  if (!has_capacity()) {
    pauses = pauses | OVERFLOW;
    return false;
  }
  uint8_t index = next;
  next = next - 1;
  for (; index != SIZE && static_cast<int16_t>(at - queue[index].at) >= 0; index++) queue[index - 1] = queue[index];
  queue[index - 1] = PinEvent{at, id, pin_action};
  return true;
}

void clear_overflow() {
  hal::InterruptsOff off;
  pauses = pauses & ~OVERFLOW;
  run_due();
}

void cancel(uint8_t id) {
  if (next == SIZE) return;
  hal::InterruptsOff off;
  for (uint8_t index = next; (index = find(id, index, SIZE)) != SIZE; index++) {
    close_gap(index);
    next = next + 1;
  }
}

void invalidate(uint8_t id) {
  hal::InterruptsOff off;
  for (uint8_t index = next; (index = find(id, index, SIZE)) != SIZE; index++) queue[index].pin_action.is_resolved = 0;
}

void invalidate_output(uint8_t channel, bool exclusive) {
  if (next == SIZE) return;
  hal::InterruptsOff off;
  for (uint8_t index = next; index != SIZE; index++) {
    PinAction& pin_action = queue[index].pin_action;
    if (pin_action.channel == channel || (exclusive && pin_action.exclusive)) pin_action.is_resolved = 0;
  }
}

bool is_prepared(uint8_t id) {
  hal::InterruptsOff off;
  bool any = is_executed(id);
  for (uint8_t index = next; (index = find(id, index, SIZE)) != SIZE; index++) {
    if (!queue[index].pin_action.is_resolved) return false;
    any = true;
  }
  return any;
}

// --- pausing ---

bool is_paused() { return pauses & ~OVERFLOW; }

void pause() {
  hal::InterruptsOff off;  // an interrupt may set OVERFLOW
  pauses = pauses + 1;
}

void resume() {
  hal::InterruptsOff off;
  pauses = pauses - 1;
  run_due();
}

void block_group(uint8_t group) { blocked_group = group; }

void unblock_groups() {
  hal::InterruptsOff off;
  blocked_group = NOTHING_BLOCKED;
  run_due();
}

// --- committing ---

bool any_executed() { return executed; }

uint8_t first_executed() { return queue[0].id; }

bool has_ended(uint8_t group) {
  for (uint8_t index = 0; index < executed; index++) {
    if (queue[index].pin_action.group == group) return true;
  }
  return false;
}

bool is_executed(uint8_t id) {
  uint8_t beyond = executed;
  return find(id, 0, beyond) != beyond;
}

bool executed_at(uint8_t id, uint32_t& when) {
  uint8_t beyond = executed, index = find(id, 0, beyond);
  if (index == beyond || !queue[index].pin_action.mask) return false;
  when = hal::extend(queue[index].at);
  return true;
}

// If a later event has been executed at the same output, its own commit decides what level the pin gets.
void undo(uint8_t id) {
  hal::InterruptsOff off;
  uint8_t index = find(id, 0, executed), channel = queue[index].pin_action.channel;
  for (uint8_t other = 0; other < executed; other++) {
    if (other != index && queue[other].pin_action.channel == channel) return;
  }
  restore(channel);
}

void retire(uint8_t id) {
  hal::InterruptsOff off;
  uint8_t index = find(id, 0, executed);
  if (index != executed) {
    executed = executed - 1;
    memmove(&queue[index], &queue[index + 1], (executed - index) * sizeof(PinEvent));
  }
  run_due();
}

// --- executing, with interrupts off ---

namespace {

// Keep an action that was just executed for the scheduler.
void keep_executed(uint8_t id, const PinAction& pin_action) {
  queue[executed] = PinEvent{hal::now_low(), id, pin_action};
  executed = executed + 1;
}

// Return whether an edge that is not yet handled may stop it: it comes from an output or a sequence, not from an input.
bool may_be_stopped(const PinEvent& event) {
  return event.id >= limits::CHANNELS || event.id == event.pin_action.channel;
}

// Return whether an action must wait until an executed one is committed.
bool clashes(const PinAction& pin_action) {
  for (const PinEvent *event = queue, *beyond = queue + executed; event != beyond; event++) {
    const PinAction& before = event->pin_action;
    if (before.is_complex || (before.exclusive && pin_action.exclusive)) return true;
    if (before.channel != limits::NO_CHANNEL && before.channel == pin_action.channel) return true;
    if (before.group != NO_GROUP && before.group == pin_action.group) return true;
  }
  return false;
}

// Return whether an event may be executed when it is due.
bool is_free(const PinEvent& event) {
  const PinAction& pin_action = event.pin_action;
  if (!pin_action.is_resolved || pin_action.group == blocked_group) return false;
  if (!pauses && !(hal::are_edges_pending() && may_be_stopped(event)) && !clashes(pin_action)) return true;
  return is_never_delayed(event.id, pin_action);
}

// Wait for the tick of the next event and execute it. If edges are tracked and one comes first, leave it, unless it
// is never delayed.
void execute_next() {
  bool were_pending = hal::are_edges_pending();
  const PinEvent& event = queue[next];
  hal::wait_until(event.at);
  if (hal::are_edges_pending() != were_pending && !is_never_delayed(event.id, event.pin_action)) return;
  execute(event.pin_action);
  next = next + 1;
  keep_executed(event.id, event.pin_action);
}

// Execute the event at an index at a time, before the events that stand before it.
void execute_first(uint8_t index, uint16_t at) {
  PinEvent event = queue[index];
  close_gap(index);
  queue[next] = event;
  queue[next].at = at;
  execute_next();
}

// The next event must wait: execute what is never delayed of those behind it that are due.
void execute_what_is_never_delayed() {
  for (uint8_t index = next + 1; index != SIZE; index++) {
    const PinEvent& event = queue[index];
    if (!is_never_delayed(event.id, event.pin_action)) continue;
    if (!hal::is_due_within_lead(event.at)) return;
    if (event.pin_action.is_resolved) execute_first(index, event.at);
  }
}

}  // namespace

void run_due() {
  while (next != SIZE) {
    if (!hal::is_due_within_lead(queue[next].at)) return;
    if (!is_free(queue[next])) break;
    execute_next();
  }
  if (next != SIZE) execute_what_is_never_delayed();
}

void run_never_delayed() {
  while (next != SIZE && queue[next].pin_action.is_resolved &&
         is_never_delayed(queue[next].id, queue[next].pin_action) && hal::is_due_within_lead(queue[next].at)) {
    execute_next();
  }
}

static bool is_next_before(uint16_t at) { return next != SIZE && static_cast<int16_t>(queue[next].at - at) <= 0; }

bool execute_at_once(uint8_t id, uint16_t at, const PinAction& pin_action) {
  if (is_next_before(at)) run_due();
  if (pauses || pin_action.group == blocked_group || !has_capacity()) return false;
  if (is_next_before(at) || clashes(pin_action)) return false;
  execute(pin_action);
  keep_executed(id, pin_action);
  run_due();
  return true;
}

bool execute_now(uint8_t id, const PinAction& pin_action) {
  hal::InterruptsOff off;
  // A time before every prepared event, so that none of them comes first.
  return execute_at_once(id, next != SIZE ? queue[next].at - 1 : 0, pin_action);
}

bool execute_paused(uint8_t first, bool resumes) {
  hal::InterruptsOff off;
  pauses = pauses - 1;
  for (uint8_t index = next; index != SIZE; index++) {
    if (index < next || queue[index].id < first) continue;  // one that was executed makes room by moving others up
    hal::poll_pins();
    bool is_executable = is_free(queue[index]);
    if (is_executable) execute_first(index, hal::now_low());
    resumes &= is_executable;
  }
  if (!resumes) pauses = pauses + 1;
  run_due();
  return resumes;
}

uint16_t ticks_left(uint16_t most) {
  if (next == SIZE) return most;
  int16_t left = static_cast<int16_t>(queue[next].at - hal::now_low());
  return left < 1 ? 1 : static_cast<uint16_t>(left) < most ? left : most;
}

}  // namespace pin_events
