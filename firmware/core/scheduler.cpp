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

// The scheduler handles at most IN_A_ROW things before the main loop may run. It handles up to MORE further ones while
// an executed event is not committed, because such an event keeps others from being executed.
constexpr uint8_t IN_A_ROW = 4, MORE = 4;

// A batch takes about 150 us. It lets events go first that are due so soon (in ticks), as often as this.
constexpr uint16_t SOON = 300;
constexpr uint8_t SETTLES = 4;

uint8_t start_at(uint8_t sequence, uint32_t stamp) {
  if (!sequences::is_loaded(sequence)) return wire::REASON_UNKNOWN;
  return ticks::before(stamp, hal::now()) ? wire::REASON_PAST : sequences::start(sequence, stamp);
}

void do_due(uint8_t id, uint32_t at) {
  if (id >= timer_queue::FIRST_SEQUENCE) {
    sequences::on_due(id - timer_queue::FIRST_SEQUENCE, at);
  } else if (inputs::is_input(id)) {
    inputs::on_due(id, at);
  } else {
    outputs::on_due(id, at);
  }
}

void handle_due(uint8_t id) {
  uint32_t at = timer_queue::due(id);
  if (timer_queue::take(id)) do_due(id, at);
  outputs::end_commit();
}

// Commit an executed event, or undo it if its entry has been cancelled meanwhile.
void commit(uint8_t id) {
  uint32_t when;
  if (timer_queue::has(id)) {
    if (pin_events::executed_at(id, when)) outputs::begin_commit(when);
    handle_due(id);
  } else {
    pin_events::undo(id);
  }
  pin_events::retire(id);
  if (!inputs::is_input(id)) lookahead::refresh(id);  // its next event
}

// Handle the oldest change of pins, unless there is none, or an entry of the timer queue is due before it. It
// is not inlined, so that its snapshot is on the stack for no longer than it runs.
__attribute__((noinline)) bool take_edge(uint8_t id) {
  hal::Snapshot snapshot;
  hal::read_snapshot(snapshot);
  if (id != timer_queue::NONE && ticks::before(timer_queue::due(id), snapshot.stamp)) return false;
  inputs::handle_snapshot(snapshot);
  hal::drop_snapshot();
  return true;
}

void commit_first() {
  uint8_t id = pin_events::first_executed();
  if (!timer_queue::has(id) && hal::has_snapshot() && take_edge(timer_queue::NONE))
    return;  // first the change for which it was executed
  commit(id);
}

bool execute_now(uint8_t id) {
  pin_events::PinAction pin_action = lookahead::describe(id);
  pin_events::cancel(id);
  return pin_events::execute_now(id, pin_action);
}

// Execute it although pin events are paused: nothing is left that it could clash with.
void execute_while_paused(uint8_t id) {
  pin_events::PinAction pin_action = lookahead::describe(id);
  pin_events::execute(pin_action);
  if (pin_action.mask) outputs::begin_commit(hal::now());
}

// Input A has a confirmed edge that is not handled, and its pin has already changed again. An interrupt has executed
// the action of a later edge, of input B. If the edge of B were handled first, the change of A would hide the edge of
// A: return whether this may happen.
bool would_be_lost(uint8_t id) {
  return inputs::is_input(id) && !timer_queue::has(pin_events::first_executed()) && inputs::has_changed(id);
}

// Handle an entry that is due and was not executed, unless an executed event must be committed first.
void execute_due(uint8_t id) {
  if (lookahead::is_noop(id)) {
    handle_due(id);
  } else if (execute_now(id)) {
    commit(id);
  } else if (pin_events::any_executed() && !would_be_lost(id)) {
    commit_first();
  } else {
    pin_events::pause();
    reflexes::are_suspended = pin_events::any_executed();
    if (!reflexes::are_suspended) execute_while_paused(id);
    handle_due(id);
    reflexes::are_suspended = false;
    pin_events::resume();
  }
}

void forget_actions() {
  quiesce();
  sequences::forget();
  reflexes::forget();
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) lookahead::invalidate(channel);
  outputs::all_off();
  pin_events::resume();
}

}  // namespace

uint8_t perform(const Action& action) {
  switch (action.code) {
    case wire::ORDER_NOTHING: return 0;
    case wire::ORDER_START:
      return sequences::start(action.params.at.sequence, hal::now() + target::SEQUENCE_START_DELAY);
    case wire::ORDER_START_AT: return start_at(action.params.at.sequence, action.params.at.stamp);
    case wire::ORDER_STOP: sequences::stop(action.params.at.sequence); return 0;
    default: return outputs::perform(action);
  }
}

void make_safe() {
  hal::SchedulerLock lock;
  forget_actions();
}

void forget() {
  hal::SchedulerLock lock;
  forget_actions();
  hal::forget_pins();
  timer_queue::clear();
  memset(channels, 0, sizeof(channels));
  inputs::forget();
  outputs::forget();
  orders::refused = 0;
}

namespace {

// Return the first entry of the timer queue. Of inputs that are due at the same time it is the one whose edge came
// first.
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

// Handle the first of all that has come, in the order of time; return false when there is nothing.
bool handle_next() {
  hal::clear_scheduler_request();
  uint8_t id = find_first();
  if (hal::has_snapshot() && take_edge(id)) return true;
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

// Prepare what comes next, and ask to be called in time for what cannot be prepared.
void scan_ahead() {
  uint32_t wake = lookahead::scan();
  pin_events::clear_overflow();
  hal::schedule_wakeup(wake);
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
  timer_queue::changed = true;  // so the scheduler runs again when the lock is released
}

void quiesce() {
  catch_up();
  for (uint8_t tries = SETTLES; tries-- && pin_events::ticks_left(SOON) < SOON;) catch_up();
  pin_events::pause();
  while (pin_events::any_executed()) run();
}

bool run() {
  uint8_t left = IN_A_ROW + MORE;
  bool goes_on = true;
  do {
    while (goes_on && handle_next()) goes_on = --left > (pin_events::any_executed() ? 0 : MORE);
    if (goes_on) hal::clear_pending_edges();
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

void handle_edge(uint8_t channel, bool level, uint32_t stamp) {
  lookahead::forget(channel);
  uint8_t edge_code = channel | (level ? wire::LEVEL : 0);
  uint8_t fired = reflexes::are_suspended || outputs::panic_came_first() ? 0 : reflexes::fire(edge_code, stamp);
  inputs::set_event_number(channel, level, events::edge(edge_code, fired, stamp));
}

}  // namespace scheduler
