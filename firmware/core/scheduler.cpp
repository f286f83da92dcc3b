// SPDX-License-Identifier: BSD-3-Clause

#include "scheduler.h"

#include <string.h>

#include "events.h"
#include "hal.h"
#include "inputs.h"
#include "lookahead.h"
#include "orders.h"
#include "outputs.h"
#include "pin_events.h"
#include "reflexes.h"
#include "sequences.h"
#include "ticks.h"
#include "timer_queue.h"

Channel channels[limits::CHANNELS];

namespace scheduler {

namespace {

// How many things are handled before the loop has its turn, and how many more while something executed is not
// committed: what follows from it is not known before.
constexpr uint8_t AT_ONCE = 4, MORE = 4;

constexpr uint8_t SETTLES = 3;  // so often, what is fired meanwhile is booked before everything is held

uint8_t start_at(uint8_t sequence, uint32_t stamp) {
  if (!sequences::is_loaded(sequence)) return wire::REASON_UNKNOWN;
  return ticks::before(stamp, hal::now()) ? wire::REASON_PAST : sequences::start(sequence, stamp);
}

void do_due(uint8_t id, uint32_t at) {
  if (id >= timer_queue::FIRST_SEQUENCE) {
    sequences::due(id - timer_queue::FIRST_SEQUENCE, at);
  } else if (inputs::is_input(id)) {
    inputs::due(id, at);
  } else {
    outputs::due(id, at);
  }
}

void call(uint8_t id) {
  uint32_t at = timer_queue::due(id);
  if (timer_queue::take(id)) do_due(id, at);
}

void commit_due(uint8_t id) {
  call(id);
  outputs::finish();  // here and not deeper, where there is less stack left
}

// What is done now was fired before, if it was.
void recall(uint8_t id) {
  uint32_t when;
  if (pin_events::executed_at(id, when)) outputs::fired(when);
}

// It was executed: commit it. If it is no longer in the timer queue, every pin is put at the level that its output has.
void commit(uint8_t id) {
  if (timer_queue::has(id)) {
    recall(id);
    commit_due(id);
  } else {
    outputs::restore();
  }
  pin_events::retire(id);
  if (!inputs::is_input(id)) lookahead::refresh(id);  // what it does next
}

// Take the oldest change, if there is one that does not come behind `who`.
bool take_edge(uint8_t id) {
  if (!hal::has_snapshot()) return false;
  hal::Snapshot snapshot;
  hal::read_snapshot(snapshot);
  if (id != timer_queue::NONE && ticks::before(timer_queue::due(id), snapshot.stamp)) return false;
  inputs::take(snapshot);
  hal::drop_snapshot();
  return true;
}

void commit_first() {
  uint8_t id = pin_events::first_executed();
  if (!timer_queue::has(id) && take_edge(timer_queue::NONE)) return;  // the change that it was fired for comes first
  commit(id);
}

bool execute_now(uint8_t id) {
  pin_events::PinAction pin_action = lookahead::of(id);
  pin_events::cancel(id);
  return pin_events::execute_now(id, pin_action);
}

void execute_held(uint8_t id) {
  pin_events::PinAction pin_action = lookahead::of(id);
  pin_events::execute(pin_action);
  if (pin_action.mask) outputs::fired(hal::now());
}

// Tell whether it is an edge that would be lost if the change were taken first for which something was fired: a later
// edge, which forbids this one to fire. Its own input has changed once more.
bool would_be_lost(uint8_t id) {
  return inputs::is_input(id) && !timer_queue::has(pin_events::first_executed()) && inputs::has_changed(id);
}

// It is due and was not executed: do it now, unless something else must be committed first.
void execute_due(uint8_t id) {
  if (lookahead::is_noop(id)) {
    commit_due(id);
  } else if (execute_now(id)) {
    commit(id);
  } else if (pin_events::any_executed() && !would_be_lost(id)) {
    commit_first();
  } else {
    pin_events::pause();
    reflexes::are_suspended = pin_events::any_executed();
    if (!reflexes::are_suspended) execute_held(id);
    commit_due(id);
    reflexes::are_suspended = false;
    pin_events::resume();
  }
}

void safe() {
  sequences::forget();
  reflexes::forget();
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) lookahead::invalidate(channel);
  outputs::all_off();
}

}  // namespace

uint8_t perform(const Action& action) {
  switch (action.code) {
    case wire::ORDER_NOTHING:
    case wire::ORDER_CANCEL: return 0;
    case wire::ORDER_START: return sequences::start(action.params.at.sequence, hal::now() + target::HEAD_START);
    case wire::ORDER_START_AT: return start_at(action.params.at.sequence, action.params.at.stamp);
    case wire::ORDER_STOP: sequences::stop(action.params.at.sequence); return 0;
    default: return outputs::perform(action);
  }
}

void make_safe() {
  hal::SchedulerLock lock;
  quiesce();
  safe();
  pin_events::resume();
}

void forget() {
  hal::SchedulerLock lock;
  quiesce();
  safe();
  pin_events::resume();
  hal::forget_pins();
  timer_queue::clear();
  memset(channels, 0, sizeof(channels));
  inputs::forget();
  outputs::forget();
  orders::refused = 0;
}

namespace {

// Who is first on the queue; of inputs that are due at the same time, the one that is to be reported first.
uint8_t find_first() {
  uint8_t first = timer_queue::first(), best = first;
  if (first == timer_queue::NONE) return first;
  uint32_t at = timer_queue::due(first);
  for (uint8_t id = timer_queue::next(first); id != timer_queue::NONE; id = timer_queue::next(id)) {
    if (timer_queue::due(id) != at || !inputs::is_input(first)) break;
    if (inputs::is_input(id) && inputs::comes_before(id, best)) best = id;
  }
  if (best != first) timer_queue::move_before(first, best);
  return best;
}

bool is_due(uint8_t id) { return !ticks::before(hal::now(), timer_queue::due(id)); }

// Do one thing of what has come, in the order of time; false when nothing has.
bool handle_next() {
  hal::accept_requests();
  uint8_t id = find_first();
  if (take_edge(id)) return true;
  bool any = id != timer_queue::NONE;
  if (any && pin_events::is_executed(id)) {
    commit(id);
  } else if (any && is_due(id)) {
    execute_due(id);
  } else if (pin_events::any_executed()) {
    commit_first();
  } else {
    return false;
  }
  return true;
}

// Aim at what comes, also before a rest: what comes in it is fired on its tick.
void scan_ahead() {
  uint32_t wake = lookahead::scan(timer_queue::first());
  pin_events::clear_overflow();
  hal::schedule_wakeup(wake);  // also for what is due already
}

bool anything_came() {
  uint8_t first = timer_queue::first();
  return hal::has_snapshot() || pin_events::any_executed() || (first != timer_queue::NONE && is_due(first));
}

}  // namespace

void catch_up() {
  if (anything_came()) {
    run();
  } else {
    scan_ahead();  // the caller may take long
  }
  timer_queue::changed = true;  // the scheduler looks ahead anew, soon
}

void quiesce() {
  for (uint8_t tries = SETTLES;; tries--) {
    catch_up();
    pin_events::pause();
    if (!pin_events::any_executed() || !tries) break;  // or what is due would wait for those books
    pin_events::resume();
  }
  while (pin_events::any_executed()) run();
}

bool run() {
  uint8_t left = AT_ONCE + MORE;
  bool goes_on = true;
  do {
    while (goes_on && handle_next()) goes_on = --left > (pin_events::any_executed() ? 0 : MORE);
    if (goes_on) hal::edges_handled();
    while (goes_on && lookahead::resolve_next() && !anything_came()) {
    }
    scan_ahead();
  } while (goes_on && (hal::has_snapshot() || pin_events::any_executed()));
  timer_queue::changed = false;
  return goes_on;
}

void maintain(uint32_t now) {
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) {
    hal::SchedulerLock lock;
    inputs::maintain(channel, now);
  }
  hal::SchedulerLock lock;
  reflexes::maintain(now);
}

}  // namespace scheduler

void inputs::on_edge(uint8_t channel, bool level, uint32_t stamp) {
  lookahead::forget(channel);
  uint8_t place = channel | (level ? wire::LEVEL : 0);
  uint8_t fired = reflexes::are_suspended || outputs::is_barred() ? 0 : reflexes::fire(place, stamp);
  inputs::number(channel, level, events::edge(place, fired, stamp));
}
