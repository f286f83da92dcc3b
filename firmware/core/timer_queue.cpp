// SPDX-License-Identifier: BSD-3-Clause

#include "timer_queue.h"

#include "channels.h"
#include "ticks.h"

namespace timer_queue {

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
volatile uint8_t changes[limits::CHANNELS];

void insert(uint8_t id) {
  uint32_t due = due_times[id];
  uint8_t before = NONE, behind = head;
  while (behind != NONE && !ticks::before(due, due_times[behind])) {
    before = behind;
    behind = nodes[behind].next;
  }
  nodes[id].next = behind;
  hal::InterruptsOff off;
  if (before == NONE) {
    head = id;
  } else {
    nodes[before].next = id;
  }
  hal::wake_by(due);  // also if it is not the first: those before it may be due already
}

void unlink(uint8_t id) {
  uint8_t behind = nodes[id].next;
  if (head == id) {
    head = behind;
  } else {
    uint8_t before = head;
    while (nodes[before].next != id) before = nodes[before].next;
    nodes[before].next = behind;
  }
  nodes[id].next = UNLISTED;
}

void make_change(uint8_t channel) {
  uint8_t change = changes[channel];
  if (change == NO_CHANGE) return;
  changes[channel] = NO_CHANGE;
  const Output& output = channels[channel].output;
  bool level = output.inverted != (change == TO_ON);
  if (is_tone(output.order)) {
    hal::stop_tone(output.voice, level);
  } else {
    hal::drive(output.pin, level);
  }
  hal::poll();  // many outputs may be due
}

}  // namespace

void clear() {
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
  uint8_t steps = 0;
  for (; span >= ticks::HORIZON; span -= ticks::HORIZON) steps++;
  cancel(id);
  due_times[id] = start + span;
  nodes[id].steps = steps;
  insert(id);
}

void cancel(uint8_t id) {
  if (nodes[id].next == UNLISTED) return;
  unlink(id);
}

bool has(uint8_t id) { return nodes[id].next != UNLISTED; }

uint8_t first() { return head; }

uint8_t next(uint8_t id) { return nodes[id].next; }

uint32_t due(uint8_t id) { return due_times[id]; }

bool take(uint8_t id) {
  unlink(id);
  if (nodes[id].steps == 0) return true;
  nodes[id].steps--;
  due_times[id] += ticks::HORIZON;
  insert(id);
  return false;
}

void set_change(uint8_t channel, Change change) { changes[channel] = change; }

bool has_change(uint8_t channel) { return changes[channel]; }

uint32_t make_changes() {
  uint32_t now = hal::now();
  for (uint8_t id = head; id != NONE; id = nodes[id].next) {
    if (ticks::before(now, due_times[id])) return due_times[id];
    if (id < limits::CHANNELS && nodes[id].steps == 0) make_change(id);
  }
  return now + ticks::HORIZON;
}

}  // namespace timer_queue
