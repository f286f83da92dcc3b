// SPDX-License-Identifier: BSD-3-Clause

#include "timer_queue.h"

#include "ticks.h"
#include "pin_events.h"

namespace agenda {

bool changed;

namespace {

// A list, linked by numbers. What is further ahead than the horizon first goes `laps` times around that.
struct Node {
  uint8_t next : 6;
  uint8_t laps : 2;
};

constexpr uint8_t UNLISTED = 62;  // as the next of those that are not on the list
static_assert(SIZE < UNLISTED, "a number fits six bits");

Node nodes[SIZE];
uint32_t dues[SIZE];
uint8_t head;

void insert(uint8_t who) {
  uint32_t due = dues[who];
  uint8_t last = NOBODY, place = head;
  while (place != NOBODY && !ticks::before(due, dues[place])) {
    last = place;
    place = nodes[place].next;
  }
  nodes[who].next = place;
  if (last == NOBODY) {
    head = who;
    changed = true;
  } else {
    nodes[last].next = who;
  }
}

// Let who came before `old` be followed by `now`.
void relink(uint8_t old, uint8_t now) {
  if (head == old) {
    head = now;
    return;
  }
  uint8_t place = head;
  while (nodes[place].next != old) place = nodes[place].next;
  nodes[place].next = now;
}

void unlink(uint8_t who) {
  relink(who, nodes[who].next);
  nodes[who].next = UNLISTED;
}

}  // namespace

void clear() {
  volley::clear();
  head = NOBODY;
  for (Node& node : nodes) node.next = UNLISTED;
}

void set(uint8_t who, uint32_t due) {
  cancel(who);
  dues[who] = due;
  nodes[who].laps = 0;
  insert(who);
}

static_assert(ticks::HORIZON == 1UL << 30, "a span has at most three laps");

void set_after(uint8_t who, uint32_t start, uint32_t span) {
  cancel(who);
  dues[who] = start + (span & (ticks::HORIZON - 1));
  nodes[who].laps = static_cast<uint8_t>(span >> 24) >> 6;
  insert(who);
}

void cancel(uint8_t who) {
  if (nodes[who].next == UNLISTED) return;
  volley::drop(who);
  unlink(who);
}

bool has(uint8_t who) { return nodes[who].next != UNLISTED; }

void bring_before(uint8_t first, uint8_t second) {
  unlink(second);
  relink(first, second);
  nodes[second].next = first;
}

uint8_t first() { return head; }

uint8_t behind(uint8_t who) { return nodes[who].next; }

uint32_t due(uint8_t who) { return dues[who]; }

bool is_final(uint8_t who) { return nodes[who].laps == 0; }

bool take(uint8_t who) {
  if (who < FIRST_SEQUENCE) volley::drop(who);  // of a sequence, what was aimed comes later
  unlink(who);
  if (nodes[who].laps == 0) return true;
  nodes[who].laps--;
  dues[who] += ticks::HORIZON;
  insert(who);
  return false;
}

}  // namespace agenda
