// SPDX-License-Identifier: BSD-3-Clause

#include "reflexes.h"

#include <string.h>

#include "chip.h"
#include "inputs.h"
#include "ticks.h"

namespace reflexes {

namespace {

constexpr uint8_t NO_GROUP = 0xFF;

struct __attribute__((packed)) Member {
  uint8_t group;  // its place in `groups`, or NO_GROUP
  uint8_t place;  // a channel, its level in the top bit
  Deed deed;
};

struct __attribute__((packed)) Group {
  uint8_t number;
  uint8_t used : 1, bounded : 1, over : 1;
  uint16_t born;  // groups fire in the order in which they were first armed
  uint32_t until;
};

Member pool[limits::REFLEXES];
Group groups[limits::GROUPS];
uint16_t births;
uint8_t members_in_use;

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
  for (const Member& member : pool) count += member.group == slot;
  return count;
}

void empty(uint8_t slot) {
  for (Member& member : pool) {
    if (member.group != slot) continue;
    member.group = NO_GROUP;
    member.place = 0xFF;
    members_in_use--;
  }
}

void remove(uint8_t slot) {
  empty(slot);
  groups[slot].used = 0;
}

void add(uint8_t slot, uint8_t place, const uint8_t* order) {
  Member* room = nullptr;
  for (Member& member : pool) {
    if (member.group == slot && member.place == place) {  // the last word on an edge counts
      read_deed(order, member.deed);
      return;
    }
    if (member.group == NO_GROUP) room = &member;
  }
  room->group = slot;
  room->place = place;
  read_deed(order, room->deed);
  members_in_use++;
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

// The member for an edge whose group was armed first, of those that come behind `after`.
Member* first_member(uint8_t place, uint32_t stamp) {
  Member* best = nullptr;
  for (Member& member : pool) {
    if (member.place != place || member.group == NO_GROUP) continue;
    const Group& group = groups[member.group];
    if (!in_time(group, stamp)) continue;
    if (!best || static_cast<int16_t>(group.born - groups[best->group].born) < 0) best = &member;
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
    groups[slot].born = births++;
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
  for (Member& member : pool) {
    member.group = NO_GROUP;
    member.place = 0xFF;
  }
  members_in_use = 0;
}

uint8_t fire(uint8_t place, uint32_t stamp) {
  uint8_t ended = 0;
  bool did = false;
  while (Member* member = first_member(place, stamp)) {
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

void sweep(uint32_t now) {
  for (Group& group : groups) {
    if (!group.used || !group.bounded) continue;
    uint32_t ago = now - group.until;
    if (ago - ticks::HORIZON < ticks::HORIZON) group.over = 1;
  }
}

}  // namespace reflexes
