// SPDX-License-Identifier: BSD-3-Clause

#include "hot.h"

#include "sequences.h"

#include <string.h>

#include "agenda.h"
#include "chip.h"
#include "events.h"
#include "hal.h"
#include "outputs.h"
#include "ticks.h"

namespace sequences {

namespace {

constexpr uint8_t END = limits::NONE;
constexpr uint8_t WAITING = END - 1;  // its start is still to come

// An entry; those of a sequence are linked by their places, by time.
struct __attribute__((packed)) Entry {
  uint8_t next;
  uint32_t delay;
  Deed deed;
};

struct Sequence {
  bool used : 1, has_begun : 1;  // has_begun: perhaps some output
  uint8_t number;
  uint8_t first;    // entry
  uint8_t current;  // the entry that comes next, WAITING, or END when it does not run
};

Entry pool[limits::ENTRIES];
Sequence slots[limits::SEQUENCES];
uint8_t unused = END;  // the first of the entries that belong to none
uint8_t free_entries;

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

uint8_t length(uint8_t slot) {
  uint8_t count = 0;
  for (uint8_t place = slots[slot].first; place != END; place = pool[place].next) count++;
  return count;
}

void stop_slot(uint8_t slot) {
  agenda::cancel(agenda::FIRST_SEQUENCE + slot);
  slots[slot].current = END;
  if (slots[slot].has_begun) outputs::stop_of(slot);
  slots[slot].has_begun = false;
}

void empty(uint8_t slot) {
  uint8_t place = slots[slot].first;
  while (place != END) {
    uint8_t next = pool[place].next;
    pool[place].next = unused;
    unused = place;
    free_entries++;
    place = next;
  }
  slots[slot].first = END;
}

// Link an entry behind all that are not later.
void insert(uint8_t slot, uint8_t entry) {
  uint8_t* link = &slots[slot].first;
  while (*link != END && pool[*link].delay <= pool[entry].delay) link = &pool[*link].next;
  pool[entry].next = *link;
  *link = entry;
}

// Put the next entry on the agenda, whose delay runs from `at`, when `passed` of it had passed.
void schedule(uint8_t slot, uint8_t entry, uint32_t at, uint32_t passed) {
  slots[slot].current = entry;
  if (entry != END) agenda::set_after(agenda::FIRST_SEQUENCE + slot, at, pool[entry].delay - passed);
}

}  // namespace

uint8_t load(const wire::OrderLoad& head, const uint8_t* entries) {
  uint8_t slot = find(head.sequence);
  uint8_t room = free_entries + (slot == END ? 0 : length(slot));
  if (slot == END) slot = find_free();
  if (slot == END || head.count > room) return wire::REASON_NO_ROOM;
  Sequence& sequence = slots[slot];
  if (sequence.used) {
    stop_slot(slot);
    empty(slot);
  }
  sequence.used = true;
  sequence.number = head.sequence;
  sequence.first = sequence.current = END;
  for (uint8_t count = head.count; count--; entries += 4 + wire::order_size(entries[4])) {
    uint8_t place = unused;
    Entry& entry = pool[place];
    unused = entry.next;
    free_entries--;
    memcpy(&entry.delay, entries, 4);
    read_deed(entries + 4, entry.deed);
    insert(slot, place);
  }
  return 0;
}

bool is_loaded(uint8_t number) { return find(number) != END; }

uint8_t start(uint8_t number, uint32_t at) {
  uint8_t slot = find(number);
  if (slot == END) return wire::REASON_UNKNOWN;
  stop_slot(slot);
  slots[slot].current = WAITING;
  agenda::set_after(agenda::FIRST_SEQUENCE + slot, at, 0);
  return 0;
}

void stop(uint8_t number) {
  uint8_t slot = find(number);
  if (slot != END) stop_slot(slot);
}

void due(uint8_t slot, uint32_t at) {
  Sequence& sequence = slots[slot];
  if (sequence.current == WAITING) {
    events::started(sequence.number, at);
    schedule(slot, sequence.first, at, 0);
    return;
  }
  const Entry& entry = pool[sequence.current];
  schedule(slot, entry.next, at, entry.delay);  // first: the deed may start or stop the sequence itself
  sequence.has_begun = true;
  outputs::starter = slot;
  chip::perform(entry.deed);
  outputs::starter = limits::NONE;
}

const Deed* aim(uint8_t slot) {
  uint8_t entry = slots[slot].current;
  return entry < limits::ENTRIES ? &pool[entry].deed : nullptr;
}

void forget() {
  for (uint8_t slot = 0; slot < limits::SEQUENCES; slot++) {
    if (slots[slot].used) stop_slot(slot);
    slots[slot].used = false;
  }
  for (uint8_t place = 0; place < limits::ENTRIES; place++) pool[place].next = place + 1;
  pool[limits::ENTRIES - 1].next = END;
  unused = 0;
  free_entries = limits::ENTRIES;
}

}  // namespace sequences
