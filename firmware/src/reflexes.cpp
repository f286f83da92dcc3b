// SPDX-License-Identifier: BSD-3-Clause

#include "hot.h"

#include "reflexes.h"

#include <string.h>

#include "chip.h"
#include "inputs.h"
#include "ticks.h"

namespace reflexes {

namespace {

constexpr uint8_t NO_GROUP = 0xFF;

constexpr uint8_t NO_PLACE = 0xFF;

struct __attribute__((packed)) Member {
  uint8_t group;  // its place in `groups`
  Deed deed;
};

struct __attribute__((packed)) Group {
  uint8_t number;
  uint8_t used : 1, bounded : 1, over : 1;
  uint8_t rank : 5;  // groups fire in the order in which they were first armed
  uint32_t until;
};
static_assert(limits::GROUPS <= 32, "a rank fits five bits");

Member pool[limits::REFLEXES];
uint8_t places[limits::REFLEXES];  // of each of them: a channel, its level in the top bit; or NO_PLACE
Group groups[limits::GROUPS];
uint8_t members_in_use;
uint8_t top;  // no member is in use from here on
const Member* aimed;  // what the next edge will fire, if that is known already

uint8_t find(uint8_t number) {
  for (uint8_t slot = 0; slot < limits::GROUPS; slot++) {
    if (groups[slot].used && groups[slot].number == number) return slot;
  }
  return NO_GROUP;
}

uint8_t find_free() {
  for (uint8_t slot = 0; slot < limits::GROUPS; slot++) {
    if (!groups[slot].used) return slot;
  }
  return NO_GROUP;
}

uint8_t members_of(uint8_t slot) {
  uint8_t count = 0;
  for (uint8_t member = 0; member < limits::REFLEXES; member++) {
    count += places[member] != NO_PLACE && pool[member].group == slot;
  }
  return count;
}

void empty(uint8_t slot) {
  uint8_t last = 0;
  for (uint8_t member = 0; member < top; member++) {
    if (places[member] == NO_PLACE) continue;
    if (pool[member].group == slot) {
      places[member] = NO_PLACE;
      members_in_use--;
    } else {
      last = member + 1;
    }
  }
  top = last;
}

uint8_t next_rank() {
  uint8_t rank = 0;
  for (const Group& group : groups) rank += group.used;
  return rank;
}

void remove(uint8_t slot) {
  empty(slot);
  groups[slot].used = 0;
  for (Group& group : groups) {
    if (group.used && group.rank > groups[slot].rank) group.rank--;
  }
}

void add(uint8_t slot, uint8_t place, const uint8_t* order) {
  uint8_t room = limits::NONE;
  for (uint8_t member = 0; member < limits::REFLEXES; member++) {
    if (places[member] == NO_PLACE) {
      if (room == limits::NONE) room = member;
    } else if (places[member] == place && pool[member].group == slot) {  // the last word on an edge counts
      read_deed(order, pool[member].deed);
      return;
    }
  }
  places[room] = place;
  pool[room].group = slot;
  read_deed(order, pool[room].deed);
  members_in_use++;
  if (top <= room) top = room + 1;
}

bool any_newer(const uint8_t* member, uint8_t count, uint16_t seen) {
  for (; count--; member += 1 + wire::order_size(member[1])) {
    if (inputs::newer(*member, seen)) return true;
  }
  return false;
}

bool in_time(const Group& group, uint32_t stamp) {
  return !group.over && (!group.bounded || !ticks::before(group.until, stamp));
}

// The member for an edge whose group was armed first.
const Member* first_member(uint8_t place, uint32_t stamp) {
  const Member* best = nullptr;
  const uint8_t* at = places;
  for (uint8_t left = top; left; left--, at++) {
    if (*at != place) continue;
    const Member& member = pool[at - places];
    const Group& group = groups[member.group];
    if (in_time(group, stamp) && (!best || group.rank < groups[best->group].rank)) best = &member;
  }
  return best;
}

}  // namespace

uint8_t arm(const wire::OrderArm& head, const uint8_t* members, uint16_t seen) {
  if (any_newer(members, head.count, seen)) return wire::REASON_NEWER_EDGE;
  if (head.count > limits::MEMBERS) return wire::REASON_NO_ROOM;
  uint8_t slot = find(head.group);
  uint8_t freed = slot == NO_GROUP ? 0 : members_of(slot);
  if (members_in_use - freed + head.count > limits::REFLEXES) return wire::REASON_NO_ROOM;
  if (slot == NO_GROUP) {
    slot = find_free();
    if (slot == NO_GROUP) return wire::REASON_NO_ROOM;
    groups[slot].rank = next_rank();
  } else {
    empty(slot);
  }
  Group& group = groups[slot];
  group.number = head.group;
  group.used = 1;
  group.over = 0;
  group.bounded = head.bounded != 0;
  group.until = head.until;
  for (uint8_t count = head.count; count--; members += 1 + wire::order_size(members[1])) {
    add(slot, members[0], members + 1);
  }
  return 0;
}

void disarm(uint8_t number) {
  uint8_t slot = find(number);
  if (slot != NO_GROUP) remove(slot);
}

void forget() {
  for (Group& group : groups) group.used = 0;
  memset(places, NO_PLACE, sizeof(places));
  members_in_use = top = 0;
}

uint8_t fire(uint8_t place, uint32_t stamp) {
  uint8_t ended = 0;
  bool did = false;
  const Member* member = aimed ? aimed : first_member(place, stamp);
  aimed = nullptr;
  for (; member; member = first_member(place, stamp)) {
    uint8_t slot = member->group, number = groups[slot].number;
    if (member->deed.idle()) {
      if (!did) ended = number;
    } else if (!did && chip::perform(member->deed) == 0) {
      did = true;
      ended = number;
    }
    remove(slot);
  }
  return ended;
}

const Deed* aim(uint8_t place, uint32_t stamp) {
  aimed = first_member(place, stamp);
  return aimed ? &aimed->deed : nullptr;
}

void forget_aim() { aimed = nullptr; }

void sweep(uint32_t now) {
  for (Group& group : groups) {
    if (!group.used || !group.bounded) continue;
    uint32_t ago = now - group.until;
    if (ago - ticks::HORIZON < ticks::HORIZON) group.over = 1;
  }
}

}  // namespace reflexes
