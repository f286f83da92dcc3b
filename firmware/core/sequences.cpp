// SPDX-License-Identifier: BSD-3-Clause

#include "sequences.h"

#include <string.h>

#include "events.h"
#include "outputs.h"
#include "scheduler.h"
#include "slots.h"
#include "ticks.h"
#include "timer_queue.h"

namespace sequences {

namespace {

// Values of `current` that are no entry. END is also the slot of no sequence.
constexpr uint8_t END = limits::NONE;     // the sequence does not run
constexpr uint8_t WAITING = END - 1;      // its start is scheduled
constexpr uint8_t LOADING = WAITING - 1;  // not all of its entries have come
static_assert(limits::ENTRIES < LOADING, "these are no entries");

struct Entry {
  uint32_t delay;  // from the start of the sequence, in ticks; of a deferred order its place in the batch
  Action action;
};

struct Sequence {
  uint8_t number;
  uint8_t first : 7;  // the index of its first entry in `pool`
  uint8_t used : 1;
  uint8_t count : 7;      // how many entries it has
  uint8_t has_begun : 1;  // it has executed an entry, so outputs that it has started may be on
  uint8_t current;        // the entry that is executed next, counted from `first`; or WAITING, LOADING or END
  Cause cause;            // of its start
};

// The entries of all sequences, without gaps. Those of one sequence are contiguous and ordered by delay. The deferred
// orders are at the end of the pool, the first one last.
Entry pool[limits::ENTRIES];
Sequence table[limits::SEQUENCES];
uint8_t in_use;    // how many entries of `pool` the sequences use
uint8_t deferred;  // how many orders are deferred

uint8_t free_entries() { return limits::ENTRIES - in_use - deferred; }

// Return the slot of a sequence that is loaded, or END.
uint8_t find_loaded(uint8_t number) {
  uint8_t slot = slots::find(table, number);
  return slot != END && table[slot].current == LOADING ? END : slot;
}

void stop_slot(uint8_t slot) {
  timer_queue::cancel(timer_queue::FIRST_SEQUENCE + slot);
  table[slot].current = END;
  if (table[slot].has_begun) outputs::stop_started_by(table[slot].number);
  table[slot].has_begun = false;
}

// Remove the entries of a sequence, and close the gap in the pool.
void remove_entries(uint8_t slot) {
  Sequence& sequence = table[slot];
  uint8_t behind = sequence.first + sequence.count;
  memmove(pool + sequence.first, pool + behind, (in_use - behind) * sizeof(Entry));
  in_use -= sequence.count;
  for (Sequence& other : table) {
    if (other.first >= behind) other.first -= sequence.count;
  }
  sequence.count = 0;
}

// Insert an entry behind those with the same or a shorter delay.
void insert(Sequence& sequence, uint32_t delay, const uint8_t* order) {
  uint8_t index = sequence.first + sequence.count;
  memmove(pool + index + 1, pool + index, (in_use - index) * sizeof(Entry));
  in_use++;
  for (Sequence& other : table) {
    if (&other != &sequence && other.first >= index) other.first++;
  }
  for (; index > sequence.first && pool[index - 1].delay > delay; index--) pool[index] = pool[index - 1];
  pool[index].delay = delay;
  read_action(order, pool[index].action);
  sequence.count++;
}

void remove(uint8_t slot) {
  stop_slot(slot);
  remove_entries(slot);
  table[slot].used = false;
}

// Make an entry the current one and put the sequence into the timer queue; without such an entry, end the sequence. At
// the time `at`, `passed` ticks of the entry's delay are over.
void schedule(uint8_t slot, uint8_t entry, uint32_t at, uint32_t passed) {
  Sequence& sequence = table[slot];
  sequence.current = entry < sequence.count ? entry : END;
  if (sequence.current == END) return;
  timer_queue::set_after(timer_queue::FIRST_SEQUENCE + slot, at, pool[sequence.first + entry].delay - passed);
}

}  // namespace

uint8_t load(uint8_t number, uint8_t count, const uint8_t* entries, bool is_complete) {
  uint8_t slot = slots::find(table, number);
  bool goes_on = slot != END && table[slot].current == LOADING;
  uint8_t replaced = slot == END || goes_on ? 0 : table[slot].count;
  if (slot == END) slot = slots::find_free(table);
  if (slot == END || count > free_entries() + replaced) return wire::REASON_NO_ROOM;
  Sequence& sequence = table[slot];
  if (sequence.used && !goes_on) remove(slot);
  if (!goes_on) {
    sequence.used = true;
    sequence.number = number;
    sequence.first = in_use;
  }
  sequence.current = is_complete ? END : LOADING;
  for (; count--; entries += 4 + wire::order_size(entries[4])) {
    uint32_t delay;
    memcpy(&delay, entries, sizeof(delay));
    insert(sequence, delay, entries + 4);
  }
  return 0;
}

uint8_t defer(const uint8_t* order, uint8_t place) {
  if (!free_entries()) return wire::REASON_NO_ROOM;
  Entry& entry = pool[limits::ENTRIES - ++deferred];
  entry.delay = place;
  read_action(order, entry.action);
  return 0;
}

uint8_t deferred_count() { return deferred; }

const Action& deferred_order(uint8_t index, uint8_t& place) {
  const Entry& entry = pool[limits::ENTRIES - 1 - index];
  place = entry.delay;
  return entry.action;
}

void end_batch() {
  hal::SchedulerLock lock;
  deferred = 0;
  for (uint8_t slot = 0; slot < limits::SEQUENCES; slot++) {
    if (table[slot].used && table[slot].current == LOADING) remove(slot);
  }
}

bool is_loaded(uint8_t number) { return find_loaded(number) != END; }

uint8_t start(uint8_t number, uint32_t at, Cause cause) {
  uint8_t slot = find_loaded(number);
  if (slot == END) return wire::REASON_UNKNOWN;
  stop_slot(slot);
  table[slot].current = WAITING;
  table[slot].cause = cause;
  // One that starts itself too often would always be due before every edge.
  uint32_t now = hal::now();
  if (ticks::before(at + ticks::PER_MS, now)) at = now;
  timer_queue::set_after(timer_queue::FIRST_SEQUENCE + slot, at, 0);
  return 0;
}

void stop(uint8_t number) {
  uint8_t slot = find_loaded(number);
  if (slot != END) stop_slot(slot);
}

void on_due(uint8_t slot, uint32_t at) {
  Sequence& sequence = table[slot];
  uint8_t entry = sequence.current;
  if (entry == WAITING) {
    events::started(sequence.number, sequence.cause, at);
    if (!sequence.count || pool[sequence.first].delay) {
      schedule(slot, 0, at, 0);
      return;
    }
    entry = 0;  // its time is that of the start
  }
  const Entry& due_entry = pool[sequence.first + entry];
  schedule(slot, entry + 1, at, due_entry.delay);  // before the action, which may start or stop this sequence
  sequence.has_begun = true;
  const Cause cause = Cause::of_entry(sequence.number, entry);
  uint8_t reason = scheduler::perform(due_entry.action, at, cause);
  if (reason && !hal::has_panicked()) events::refused(cause, reason, at);
}

void forget() {
  for (uint8_t slot = 0; slot < limits::SEQUENCES; slot++) {
    if (table[slot].used) stop_slot(slot);
    table[slot].used = false;
    table[slot].count = 0;
  }
  in_use = deferred = 0;
}

}  // namespace sequences
