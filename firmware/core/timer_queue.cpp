// SPDX-License-Identifier: BSD-3-Clause

#include "timer_queue.h"

#include "pin_events.h"
#include "ticks.h"

namespace timer_queue {

bool changed;

namespace {

// A list that is linked by ids. An entry that is further ahead than the horizon takes `steps` horizons first.
struct Node {
  uint8_t next : 6;  // NONE at the end of the list, UNLISTED when this entry is not on it
  uint8_t steps : 2;
};

constexpr uint8_t UNLISTED = 62;
static_assert(SIZE < UNLISTED, "an id fits six bits");

Node nodes[SIZE];
uint32_t due_times[SIZE];
uint8_t head;

void insert(uint8_t id) {
  uint32_t due = due_times[id];
  uint8_t before = NONE, behind = head;
  while (behind != NONE && !ticks::before(due, due_times[behind])) {
    before = behind;
    behind = nodes[behind].next;
  }
  nodes[id].next = behind;
  if (before == NONE) {
    head = id;
    changed = true;
  } else {
    nodes[before].next = id;
  }
}

// Let the entry before `old` be followed by `now`.
void relink(uint8_t old, uint8_t now) {
  if (head == old) {
    head = now;
    return;
  }
  uint8_t before = head;
  while (nodes[before].next != old) before = nodes[before].next;
  nodes[before].next = now;
}

void unlink(uint8_t id) {
  relink(id, nodes[id].next);
  nodes[id].next = UNLISTED;
}

}  // namespace

void clear() {
  pin_events::clear();
  head = NONE;
  for (Node& node : nodes) node.next = UNLISTED;
}

void set(uint8_t id, uint32_t due) {
  cancel(id);
  due_times[id] = due;
  nodes[id].steps = 0;
  insert(id);
}

static_assert(ticks::HORIZON == 1UL << 30, "a span has at most three steps before its last");

void set_after(uint8_t id, uint32_t start, uint32_t span) {
  cancel(id);
  due_times[id] = start + (span & (ticks::HORIZON - 1));
  nodes[id].steps = static_cast<uint8_t>(span >> 24) >> 6;
  insert(id);
}

void cancel(uint8_t id) {
  if (nodes[id].next == UNLISTED) return;
  pin_events::cancel(id);
  unlink(id);
}

bool has(uint8_t id) { return nodes[id].next != UNLISTED; }

void move_before(uint8_t first, uint8_t second) {
  unlink(second);
  relink(first, second);
  nodes[second].next = first;
}

uint8_t first() { return head; }

uint8_t next(uint8_t id) { return nodes[id].next; }

uint32_t due(uint8_t id) { return due_times[id]; }

bool is_final(uint8_t id) { return nodes[id].steps == 0; }

bool take(uint8_t id) {
  if (id < FIRST_SEQUENCE) pin_events::cancel(id);  // those of a sequence are later entries of it
  unlink(id);
  if (nodes[id].steps == 0) return true;
  nodes[id].steps--;
  due_times[id] += ticks::HORIZON;
  insert(id);
  return false;
}

}  // namespace timer_queue
