// SPDX-License-Identifier: BSD-3-Clause

#include "scheduler.h"

#include <string.h>

#include "events.h"
#include "floods.h"
#include "hal.h"
#include "inputs.h"
#include "outputs.h"
#include "reflexes.h"
#include "sequences.h"
#include "snapshots.h"
#include "sources.h"
#include "ticks.h"
#include "timer_queue.h"

Channel channels[limits::CHANNELS];

namespace scheduler {

namespace {

// IN_A_ROW: how many things the scheduler handles before the main loop may run. BEFORE_A_CHANGE: the most that it
// handles before the main loop changes something; all snapshots and entries together are no more.
constexpr uint8_t IN_A_ROW = 8, BEFORE_A_CHANGE = limits::SNAPSHOTS + timer_queue::SIZE;

uint8_t start_at(uint8_t sequence, uint32_t stamp, Cause cause) {
  if (!sequences::is_loaded(sequence)) return wire::REASON_UNKNOWN;
  return ticks::before(stamp, hal::now()) ? wire::REASON_PAST : sequences::start(sequence, stamp, cause);
}

// Return an entry that is due at the same time as the first one: of inputs that whose edge came first.
uint8_t find_first(uint8_t first) {
  if (!inputs::is_input(first)) return first;
  uint32_t at = timer_queue::due(first);
  uint8_t best = first;
  for (uint8_t id = timer_queue::next(first); id != timer_queue::NONE; id = timer_queue::next(id)) {
    if (timer_queue::due(id) != at) break;
    if (inputs::is_input(id) && inputs::comes_before(id, best)) best = id;
  }
  return best;
}

bool is_due(uint8_t id) { return id != timer_queue::NONE && !ticks::before(hal::now(), timer_queue::due(id)); }

// Return whether an entry was due before a snapshot. A stamp may be late by STAMP_LAG, and that of a snapshot after
// lost ones by more: so an input that was perhaps not silent up to the end of its confirmation is not confirmed.
bool comes_first(uint8_t id, uint32_t stamp, uint8_t flags) {
  uint32_t due = timer_queue::due(id);
  if (!inputs::is_input(id)) return !ticks::before(stamp, due);  // the edge may be what a pulse's end has made
  if (inputs::is_confirming(id)) {
    if (flags & snapshots::LOST) return false;
    due += target::STAMP_LAG;
  }
  return ticks::before(due, stamp);
}

// Handle the oldest change of pins, unless the entry `id` comes first. Return whether it did. The functions that handle
// something are not inlined: most calls of handle_next() find nothing, and need not save registers.
__attribute__((noinline)) bool take_snapshot(uint8_t id) {
  const snapshots::Snapshot& snapshot = snapshots::oldest();
  uint32_t stamp = snapshots::stamp();
  if (id != timer_queue::NONE && comes_first(find_first(id), stamp, snapshot.flags)) return false;
  bool is_muted = snapshot.flags & snapshots::MUTED;
  inputs::handle_snapshot(snapshot, stamp);
  snapshots::drop();
  if (is_muted) floods::note();
  return true;
}

__attribute__((noinline)) void handle_due(uint8_t id) {
  id = find_first(id);
  uint32_t at = timer_queue::due(id);
  if (!timer_queue::take(id)) return;
  if (limits::SOURCES && id == timer_queue::SAMPLING) {
    sources::on_due(at);
  } else if (id >= timer_queue::FIRST_SEQUENCE) {
    sequences::on_due(id - timer_queue::FIRST_SEQUENCE, at);
  } else if (inputs::is_input(id)) {
    inputs::on_due(id, at);
  } else {
    outputs::on_due(id, at);
  }
}

// Handle the first of all that has come; return false when there is nothing.
bool handle_next() {
  uint8_t id = timer_queue::first();
  if (snapshots::any()) {
    if (!take_snapshot(id)) handle_due(id);
    return true;
  }
  if (!is_due(id)) return false;
  if (!snapshots::any()) handle_due(id);  // one that came meanwhile may be earlier
  return true;
}

void forget_actions() {
  sequences::forget();
  reflexes::forget();
  outputs::all_off();
}

}  // namespace

bool run() {
  for (uint8_t left = IN_A_ROW; handle_next();) {
    if (--left == 0) return false;
  }
  return true;
}

void catch_up() {
  for (uint8_t left = BEFORE_A_CHANGE; left-- && handle_next();) {
  }
}

uint8_t perform(const Action& action, uint32_t at, Cause cause) {
  uint8_t code = action.code;
  switch (code) {
    case wire::ORDER_NOTHING: return 0;
    case wire::ORDER_START: return sequences::start(action.params.at.sequence, at, cause);
    case wire::ORDER_START_AT: return start_at(action.params.at.sequence, action.params.at.stamp, cause);
    case wire::ORDER_STOP: sequences::stop(action.params.at.sequence); return 0;
    default: return outputs::perform(action, at, cause);
  }
}

void make_safe() {
  hal::SchedulerLock lock;
  forget_actions();
}

void forget() {
  hal::SchedulerLock lock;
  forget_actions();
  sources::forget();
  inputs::forget();
  hal::forget_panic();
  timer_queue::clear();
  memset(channels, 0, sizeof(channels));
  outputs::forget();
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
  uint8_t edge_code = channel | (level ? wire::LEVEL : 0);
  uint8_t fired = hal::has_panicked() ? 0 : reflexes::fire(edge_code, stamp);
  inputs::set_event_number(channel, level, events::edge(edge_code, fired, stamp));
}

}  // namespace scheduler
