// SPDX-License-Identifier: BSD-3-Clause

#include "reflexes.h"

#include "hal.h"
#include "inputs.h"
#include "scheduler.h"
#include "slots.h"
#include "ticks.h"

namespace reflexes {

namespace {

// A member has a key and an action. A `slot` is the index of a group.
struct Key {
  limits::EdgeKey edge : limits::EDGE_BITS;  // twice the channel, plus the level; NO_EDGE when the member is not in use
  limits::EdgeKey group : limits::GROUP_BITS;  // the slot of its group
};
constexpr limits::EdgeKey NO_EDGE = 2 * limits::CHANNELS;
static_assert(NO_EDGE < 1U << limits::EDGE_BITS && limits::GROUPS <= 1U << limits::GROUP_BITS, "a key holds them");

struct __attribute__((packed)) Group {
  uint8_t number;
  limits::EdgeKey used : 1;
  limits::EdgeKey bounded : 1;               // it ends at `until` if no edge comes before
  limits::EdgeKey over : 1;                  // that time is long past
  limits::EdgeKey rank : limits::RANK_BITS;  // of groups that share an edge, the one that was armed first goes first
  uint32_t until;
};
static_assert(limits::GROUPS <= 1U << limits::RANK_BITS, "a rank fits its bits");

Key keys[limits::REFLEXES];
Action actions[limits::REFLEXES];
Group groups[limits::GROUPS];
uint8_t top;  // members from this index on are not in use

limits::EdgeKey edge_of(uint8_t edge_code) { return (edge_code & ~wire::LEVEL) << 1 | edge_code >> 7; }

const uint8_t* behind(const uint8_t* member) { return member + 1 + wire::order_size(member[1]); }

uint8_t members_of_others(uint8_t slot) {
  uint8_t count = 0;
  for (uint8_t member = 0; member < top; member++) count += keys[member].edge != NO_EDGE && keys[member].group != slot;
  return count;
}

void remove_members(uint8_t slot) {
  uint8_t last = 0;
  for (uint8_t member = 0; member < top; member++) {
    Key& key = keys[member];
    if (key.group == slot) key.edge = NO_EDGE;
    if (key.edge != NO_EDGE) last = member + 1;
  }
  top = last;
}

void remove(uint8_t slot) {
  remove_members(slot);
  groups[slot].used = 0;
  for (Group& group : groups) {
    if (group.used && group.rank > groups[slot].rank) group.rank--;
  }
}

void link(uint8_t member, limits::EdgeKey edge, uint8_t slot) {
  for (uint8_t other = 0; other < top; other++) {
    if (keys[other].edge == edge && keys[other].group == slot) keys[other].edge = NO_EDGE;  // it is replaced
  }
  keys[member].edge = edge;
  keys[member].group = slot;
  if (top <= member) top = member + 1;
}

bool any_newer(const uint8_t* member, uint8_t count, uint16_t seen) {
  for (; count--; member = behind(member)) {
    if (inputs::has_newer_edge(*member, seen)) return true;
  }
  return false;
}

bool in_time(const Group& group, uint32_t stamp) {
  return !group.over && (!group.bounded || !ticks::before(group.until, stamp));
}

// Return the member for an edge whose group was armed first, or NONE.
uint8_t first_member(uint8_t edge_code, uint32_t stamp) {
  uint8_t best = limits::NONE;
  limits::EdgeKey edge = edge_of(edge_code);
  for (uint8_t member = 0; member < top; member++) {
    if (keys[member].edge != edge) continue;
    const Group& group = groups[keys[member].group];
    if (!in_time(group, stamp)) continue;
    if (best == limits::NONE || group.rank < groups[keys[best].group].rank) best = member;
  }
  return best;
}

// Make a group without members, in place of one with the same number, whose rank it keeps. Return why not, or 0.
uint8_t begin_group(const wire::OrderArm& head, uint8_t& slot) {
  if (head.count > limits::MEMBERS) return wire::REASON_NO_ROOM;
  slot = slots::find(groups, head.group);
  if (members_of_others(slot) + head.count > limits::REFLEXES) return wire::REASON_NO_ROOM;
  if (slot == limits::NONE) {
    slot = slots::find_free(groups);
    if (slot == limits::NONE) return wire::REASON_NO_ROOM;
    uint8_t rank = 0;
    for (const Group& group : groups) rank += group.used;
    groups[slot].rank = rank;
  } else {
    remove_members(slot);
  }
  Group& group = groups[slot];
  group.number = head.group;
  group.used = 1;
  group.over = 0;
  group.bounded = head.bounded != 0;
  group.until = head.until;
  return 0;
}

}  // namespace

// The scheduler goes on while actions are copied into members that are not in use, because that takes long. Only the
// main loop takes such members into use. An edge that comes meanwhile refuses the order.
uint8_t arm(const wire::OrderArm& head, const uint8_t* members, uint16_t seen) {
  uint8_t slot, free_members[limits::MEMBERS];
  {
    hal::SchedulerLock lock;
    scheduler::catch_up();
    if (any_newer(members, head.count, seen)) return wire::REASON_NEWER_EDGE;
    if (uint8_t reason = begin_group(head, slot)) return reason;
  }
  const uint8_t* member = members;
  for (uint8_t index = 0, next = 0; index < head.count; index++, member = behind(member)) {
    while (keys[next].edge != NO_EDGE) next++;
    read_action(member + 1, actions[next]);
    free_members[index] = next++;
  }
  hal::SchedulerLock lock;
  scheduler::catch_up();
  if (any_newer(members, head.count, seen)) {
    remove(slot);
    return wire::REASON_NEWER_EDGE;
  }
  for (uint8_t index = 0; index < head.count; index++, members = behind(members)) {
    link(free_members[index], edge_of(*members), slot);
  }
  return 0;
}

void disarm(uint8_t number) {
  uint8_t slot = slots::find(groups, number);
  if (slot != limits::NONE) remove(slot);
}

void forget() {
  for (Group& group : groups) group.used = 0;
  for (Key& key : keys) key.edge = NO_EDGE;
  top = 0;
}

uint8_t fire(uint8_t edge_code, uint32_t stamp) {
  uint8_t ended = 0;
  bool did = false;
  for (uint8_t member; (member = first_member(edge_code, stamp)) != limits::NONE;) {
    uint8_t slot = keys[member].group, number = groups[slot].number;
    const Action& action = actions[member];
    if (action.is_noop()) {
      if (!did) ended = number;
    } else if (!did && scheduler::perform(action, hal::now(), Cause::of_edge(number, edge_code)) == 0) {
      did = true;
      ended = number;
    }
    remove(slot);
  }
  return ended;
}

void maintain(uint32_t now) {
  for (Group& group : groups) {
    if (!group.used || !group.bounded) continue;
    uint32_t ago = now - group.until;
    if (ago - ticks::HORIZON < ticks::HORIZON) group.over = 1;
  }
}

}  // namespace reflexes
