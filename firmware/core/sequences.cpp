// SPDX-License-Identifier: BSD-3-Clause

#include "sequences.h"

#include <string.h>

#include "events.h"
#include "hal.h"
#include "outputs.h"
#include "pin_events.h"
#include "scheduler.h"
#include "ticks.h"
#include "timer_queue.h"

namespace sequences {

namespace {

constexpr uint8_t END = limits::NONE;
constexpr uint8_t WAITING = END - 1;  // its start is still to come

// An entry; those of a sequence lie side by side, by time.
struct __attribute__((packed)) Entry {
  uint32_t delay;
  Action action;
};

struct Sequence {
  bool used : 1, has_begun : 1;  // has_begun: perhaps some output
  uint8_t number;
  uint8_t first, count;  // its entries
  uint8_t current;       // which of them comes next, WAITING, or END when it does not run
};

Entry pool[limits::ENTRIES];
Sequence slots[limits::SEQUENCES];
uint8_t in_use;  // so many entries, at the beginning

uint8_t find(uint8_t number) {
  for (uint8_t slot = 0; slot < limits::SEQUENCES; slot++) {
    if (slots[slot].used && slots[slot].number == number) return slot;
  }
  return END;
}

uint8_t find_free() {
  for (uint8_t slot = 0; slot < limits::SEQUENCES; slot++) {
    if (!slots[slot].used) return slot;
  }
  return END;
}

void stop_slot(uint8_t slot) {
  timer_queue::cancel(timer_queue::FIRST_SEQUENCE + slot);
  slots[slot].current = END;
  if (slots[slot].has_begun) outputs::stop_of(slot);
  slots[slot].has_begun = false;
}

void empty(uint8_t slot) {
  Sequence& sequence = slots[slot];
  uint8_t behind = sequence.first + sequence.count;
  memmove(pool + sequence.first, pool + behind, (in_use - behind) * sizeof(Entry));
  in_use -= sequence.count;
  for (Sequence& other : slots) {
    if (other.first >= behind) other.first -= sequence.count;
  }
  sequence.count = 0;
}

// Add an entry behind all that are not later; the sequence is the last in the pool.
void insert(Sequence& sequence, uint32_t delay, const uint8_t* order) {
  uint8_t place = in_use++;
  for (; place > sequence.first && pool[place - 1].delay > delay; place--) pool[place] = pool[place - 1];
  pool[place].delay = delay;
  read_action(order, pool[place].action);
  sequence.count++;
}

// Put an entry on the queue, whose delay runs from `at`, when `passed` of it had passed.
void schedule(uint8_t slot, uint8_t entry, uint32_t at, uint32_t passed) {
  Sequence& sequence = slots[slot];
  sequence.current = entry < sequence.count ? entry : END;
  if (sequence.current == END) return;
  timer_queue::set_after(timer_queue::FIRST_SEQUENCE + slot, at, pool[sequence.first + entry].delay - passed);
}

const Entry& first_of(uint8_t slot) { return pool[slots[slot].first]; }

// Tell whether a sequence does something in the instant in which it begins.
bool acts_at_once(uint8_t slot) { return slots[slot].count && first_of(slot).delay == 0; }

// The sequence that a action of another one starts, if that does something in the same instant; or END.
uint8_t started_by(const Action& action, uint8_t other) {
  uint8_t slot = action.code == wire::ORDER_START ? find(action.params.at.sequence) : END;
  return slot != END && slot != other && acts_at_once(slot) ? slot : END;
}

// Tell whether it begins with its first entry, and not with a turn of its own before.
bool begins_with_first(uint8_t slot) { return acts_at_once(slot) && first_of(slot).action.code != wire::ORDER_START; }

}  // namespace

uint8_t load(const wire::OrderLoad& head, const uint8_t* entries) {
  uint8_t slot = find(head.sequence);
  uint8_t room = limits::ENTRIES - in_use + (slot == END ? 0 : slots[slot].count);
  if (slot == END) slot = find_free();
  if (slot == END || head.count > room) return wire::REASON_NO_ROOM;
  Sequence& sequence = slots[slot];
  if (sequence.used) {
    stop_slot(slot);
    empty(slot);
    for (uint8_t other = 0; other < limits::SEQUENCES; other++)
      pin_events::invalidate(timer_queue::FIRST_SEQUENCE + other);
  }
  sequence.used = true;
  sequence.number = head.sequence;
  sequence.first = in_use;
  sequence.count = 0;
  sequence.current = END;
  for (uint8_t count = head.count; count--; entries += 4 + wire::order_size(entries[4])) {
    uint32_t delay;
    memcpy(&delay, entries, sizeof(delay));
    insert(sequence, delay, entries + 4);
  }
  return 0;
}

bool is_loaded(uint8_t number) { return find(number) != END; }

uint8_t start(uint8_t number, uint32_t at) {
  uint8_t slot = find(number);
  if (slot == END) return wire::REASON_UNKNOWN;
  stop_slot(slot);
  slots[slot].current = WAITING;
  timer_queue::set_after(timer_queue::FIRST_SEQUENCE + slot, at, 0);
  return 0;
}

void stop(uint8_t number) {
  uint8_t slot = find(number);
  if (slot != END) stop_slot(slot);
}

void due(uint8_t slot, uint32_t at) {
  bool begins = slots[slot].current == WAITING;
  uint8_t next = 0;
  uint32_t passed = 0;
  const Action* action = nullptr;
  if (!begins) {
    next = slots[slot].current + 1;
    const Entry& entry = pool[slots[slot].first + next - 1];
    passed = entry.delay;
    action = &entry.action;
    uint8_t started = started_by(*action, slot);
    if (started != END) {
      schedule(slot, next, at, passed);
      stop_slot(started);
      slot = started;
      next = 0;
      passed = 0;
      action = nullptr;
      begins = true;
    }
  }
  if (begins) {
    events::started(slots[slot].number, at);
    if (begins_with_first(slot)) {
      action = &first_of(slot).action;
      next = 1;
    }
  }
  schedule(slot, next, at, passed);  // before the action, which may start or stop the sequence itself
  if (!action) return;
  slots[slot].has_begun = true;
  outputs::starter = slot;
  scheduler::perform(*action);
  outputs::starter = limits::NONE;
}

uint16_t describe(uint8_t slot, uint8_t nth, uint16_t within, pin_events::PinAction& pin_action) {
  const Sequence& sequence = slots[slot];
  uint8_t entry = sequence.current;
  uint32_t passed = 0;
  pin_action = pin_events::no_action(true);
  if (entry != WAITING) {
    passed = pool[sequence.first + entry].delay;
  } else {
    entry = 0;
    if (!begins_with_first(slot) && nth-- == 0) return 0;
  }
  entry += nth;
  if (entry >= sequence.count) return NOTHING_MORE;
  const Entry* found = &pool[sequence.first + entry];
  uint32_t after = found->delay - passed;
  if (after > within) return NOTHING_MORE;
  uint8_t started = started_by(found->action, slot);
  if (started != END) found = &first_of(started);
  outputs::describe(found->action, pin_action);
  if (started != END) pin_action.is_complex = 1;
  return after;
}

void forget() {
  for (uint8_t slot = 0; slot < limits::SEQUENCES; slot++) {
    if (slots[slot].used) stop_slot(slot);
    slots[slot].used = false;
    slots[slot].count = 0;
  }
  in_use = 0;
}

}  // namespace sequences
