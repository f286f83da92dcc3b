// SPDX-License-Identifier: BSD-3-Clause

#include "pin_events.h"

#include <string.h>

namespace pin_events {

volatile uint8_t next, executed, pauses, blocked_group;

namespace {

PinEvent queue[limits::PIN_EVENTS];
constexpr uint8_t NEAR = 64, FULL = 0x80;  // what is so many ticks behind an edge comes before it; a bit of `pauses`

// The place of the next event of an id from a place on, or `beyond`. An executed event stays in its place whatever is
// executed meanwhile.
uint8_t find(uint8_t id, uint8_t place, uint8_t beyond) {
  while (place != beyond && queue[place].id != id) place++;
  return place;
}

// When it is the turn of the next: earlier if another is due on the same tick, for that is found out about first, too.
uint16_t turn_of_next() {
  const PinEvent* event = &queue[next];
  return next != SIZE - 1 && event[1].at == event->at ? event->at - target::LEAD_OF_TWO : event->at;
}

void keep(uint8_t place, uint8_t id, uint16_t at, const PinAction& pin_action) {
  queue[place] = PinEvent{at, id, pin_action};
}

}  // namespace

void clear() {
  hal::InterruptsOff off;
  next = SIZE, executed = 0, pauses = 0, blocked_group = NO_PLACE;
}

bool is_paused() { return pauses & ~FULL; }
void pause() { pauses = pauses + 1; }
void block_group(uint8_t group) { blocked_group = group; }
bool has_capacity() { return next != executed; }
bool any_executed() { return executed; }
uint8_t first_executed() { return queue[0].id; }

void resume() {
  hal::InterruptsOff off;
  pauses = pauses - 1;
  run_due();
}

uint16_t ticks_left(uint16_t most) {
  if (next == SIZE) return most;
  int16_t left = static_cast<int16_t>(turn_of_next() - hal::now_low());
  return left < 1 ? 1 : static_cast<uint16_t>(left) < most ? left : most;
}

void unblock_groups() {
  hal::InterruptsOff off;
  blocked_group = NO_PLACE;
  run_due();
}

void clear_overflow() {
  hal::InterruptsOff off;
  pauses = pauses & ~FULL;
  run_due();
}

bool update(uint8_t id, const PinAction& pin_action) {
  hal::InterruptsOff off;
  uint8_t place = find(id, next, SIZE);
  if (place == SIZE) return false;
  queue[place].pin_action = pin_action;
  return true;
}

void cancel(uint8_t id) {
  if (next == SIZE) return;
  hal::InterruptsOff off;
  for (uint8_t place = next; (place = find(id, place, SIZE)) != SIZE; place++) {
    memmove(&queue[next + 1], &queue[next],
            (place - next) * sizeof(PinEvent));  // those before it go up by one, over it
    next = next + 1;
  }
}

void invalidate(uint8_t id) {
  hal::InterruptsOff off;
  for (uint8_t place = next; (place = find(id, place, SIZE)) != SIZE; place++) queue[place].pin_action.is_resolved = 0;
}

void invalidate_output(uint8_t channel, bool exclusive) {
  if (next == SIZE) return;
  hal::InterruptsOff off;
  for (uint8_t place = next; place != SIZE; place++) {
    PinAction& pin_action = queue[place].pin_action;
    if (pin_action.channel == channel || (exclusive && pin_action.exclusive)) pin_action.is_resolved = 0;
  }
}

Waits waits(uint8_t id) {
  hal::InterruptsOff off;
  if (is_executed(id)) return PREPARED;  // it must not be aimed a second time
  Waits result = NOT_AT_ALL;
  for (uint8_t place = next; (place = find(id, place, SIZE)) != SIZE; place++) {
    if (!queue[place].pin_action.is_resolved) return INVALID;
    result = PREPARED;
  }
  return result;
}

bool has_ended(uint8_t group) {
  for (uint8_t place = 0; place < executed; place++) {
    if (queue[place].pin_action.group == group) return true;
  }
  return false;
}

bool is_executed(uint8_t id) {
  uint8_t beyond = executed;
  return find(id, 0, beyond) != beyond;
}

bool executed_at(uint8_t id, uint32_t& when) {
  uint8_t beyond = executed, place = find(id, 0, beyond);
  if (place == beyond || !queue[place].pin_action.mask) return false;
  when = hal::extend(queue[place].at);
  return true;
}

void retire(uint8_t id) {
  hal::InterruptsOff off;
  uint8_t place = find(id, 0, executed);
  if (place != executed) {
    executed = executed - 1;
    memmove(&queue[place], &queue[place + 1], (executed - place) * sizeof(PinEvent));
  }
  run_due();
}

// --- what is done between a tick and its pin ---

void log_executed(uint8_t id, uint16_t at, const PinAction& pin_action) {
  keep(executed, id, at, pin_action);
  executed = executed + 1;
  hal::poll_pins();
}

namespace {

// Tell whether it is the turn of an output or a sequence, which an edge may stop.
bool is_turn(const PinEvent& event) { return event.id >= limits::CHANNELS || event.id == event.pin_action.channel; }

// Tell whether it must wait until what was executed, or is about to be from `first` on, is committed.
bool clashes(const PinAction& pin_action, const PinEvent* first, const PinEvent* beyond) {
  const PinEvent* waiting = &queue[executed];
  for (const PinEvent* event = queue;; event++) {
    if (event == waiting) event = first;
    if (event == beyond) return false;
    const PinAction& before = event->pin_action;
    if (before.is_complex || (before.exclusive && pin_action.exclusive)) return true;
    if (before.channel != limits::NO_CHANNEL && before.channel == pin_action.channel) return true;
    if (before.group != NO_GROUP && before.group == pin_action.group) return true;
  }
}

// Tell whether it may be fired, with those from `first` on, which are due on the same tick.
bool is_free(const PinEvent& event, const PinEvent& first) {
  const PinAction& pin_action = event.pin_action;
  if (!pin_action.is_resolved || pin_action.group == blocked_group) return false;
  if (!pauses && !(hal::are_edges_pending() && is_turn(event)) && !clashes(pin_action, &first, &event)) return true;
  return ends_own_pulse(event.id, pin_action);
}

// Fire the next on its tick, and with it what is due on the same tick and free; unless an edge comes before.
void execute_next() {
  bool was_behind = hal::are_edges_pending();
  PinEvent *first = &queue[next], *beyond = first + 1;
  uint16_t at = first->at;
  while (beyond != queue + limits::PIN_EVENTS && beyond->at == at && is_free(*beyond, *first)) beyond++;
  hal::wait_until(at);
  if (hal::are_edges_pending() != was_behind) return;
  for (PinEvent* event = first; event != beyond; event++) {
    execute(event->pin_action);
    event->at = hal::now_low();
  }
  for (; first != beyond; first++) {
    hal::poll_pins();
    keep(executed, first->id, first->at, first->pin_action);
    executed = executed + 1;
    next = next + 1;
  }
}

// Fire it before the others that wait.
void execute_first(uint8_t place, uint16_t at) {
  PinEvent event = queue[place];
  memmove(&queue[next + 1], &queue[next], (place - next) * sizeof(PinEvent));
  queue[next] = event;
  queue[next].at = at;
  execute_next();
}

// The first must wait: what need not passes it.
void pass() {
  for (uint8_t place = next + 1; place != SIZE; place++) {
    const PinEvent& event = queue[place];
    if (!ends_own_pulse(event.id, event.pin_action)) continue;
    if (!hal::is_due_within_lead(event.at)) return;
    if (event.pin_action.is_resolved) execute_first(place, event.at);
  }
}

// How many ticks after then the next is due that waits.
int16_t ticks_after(uint16_t at) { return static_cast<int16_t>(next == SIZE ? INT16_MAX : queue[next].at - at); }

}  // namespace

void run_due() {
  while (next != SIZE) {
    hal::poll_pins();
    if (!hal::is_due_within_lead(turn_of_next())) return;
    const PinEvent& event = queue[next];
    if (!is_free(event, event)) break;
    execute_next();
  }
  if (next != SIZE) pass();
}

bool execute_paused(uint8_t first, bool lets_go) {
  hal::InterruptsOff off;
  pauses = pauses - 1;
  run_due();
  for (uint8_t place = next; place != SIZE; place++) {
    const PinEvent& event = queue[place];
    if (place < next || event.id < first) continue;  // it may have gone with the one before
    hal::poll_pins();
    bool goes = is_free(event, event);
    if (goes) execute_first(place, hal::now_low());
    lets_go &= goes;
  }
  if (!lets_go) pauses = pauses + 1;
  return lets_go;
}

bool execute_at_once(uint8_t id, uint16_t at, const PinAction& pin_action) {
  if (pauses || pin_action.group == blocked_group) return false;
  if (executed || next != SIZE) {
    if (!has_capacity()) return false;
    int16_t after = ticks_after(at);
    if (after < NEAR) {  // it would be late, for this takes longer
      run_due();
      after = ticks_after(at);
    }
    if (after <= 0 || clashes(pin_action, queue + limits::PIN_EVENTS, queue + limits::PIN_EVENTS)) return false;
  }
  execute(pin_action);
  log_executed(id, hal::now_low(), pin_action);
  run_due();
  return true;
}

bool execute_now(uint8_t id, const PinAction& pin_action) {
  hal::InterruptsOff off;
  return execute_at_once(id, next != SIZE ? queue[next].at - 1 : 0, pin_action);
}

bool add(uint8_t id, uint16_t at, const PinAction& pin_action) {
  hal::InterruptsOff off;
  if (!has_capacity()) {
    pauses = pauses | FULL;
    return false;
  }
  uint8_t place = next;
  next = next - 1;
  for (; place != SIZE && static_cast<int16_t>(at - queue[place].at) >= 0; place++) {
    const PinEvent& earlier = queue[place];
    keep(place - 1, earlier.id, earlier.at, earlier.pin_action);
  }
  keep(place - 1, id, at, pin_action);
  return true;
}

}  // namespace pin_events
