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

struct Group {
  uint8_t number;
  limits::EdgeKey used : 1;
  limits::EdgeKey bounded : 1;               // it ends at `until` if no edge comes before
  limits::EdgeKey over : 1;                  // that time is long past
  limits::EdgeKey staged : 1;                // its members may come, but it is not armed: it fires nothing
  limits::EdgeKey is_new : 1;                // it did not replace one, so its rank is given when it is armed
  limits::EdgeKey rank : limits::RANK_BITS;  // of groups that share an edge, the one that was armed first goes first
  uint32_t until;
};
static_assert(limits::GROUPS <= 1U << limits::RANK_BITS, "a rank fits its bits");

Key keys[limits::REFLEXES];
Action actions[limits::REFLEXES];
Group groups[limits::GROUPS];
uint8_t top;  // members from this index on are not in use

// A channel that the board does not have gives NO_EDGE.
limits::EdgeKey edge_of(uint8_t edge_code) {
  uint8_t channel = edge_code & ~wire::LEVEL;
  return channel < limits::CHANNELS ? channel << 1 | edge_code >> 7 : NO_EDGE;
}

uint8_t edge_code_of(limits::EdgeKey edge) { return edge >> 1 | (edge & 1 ? wire::LEVEL : 0); }

const uint8_t* behind(const uint8_t* member) { return member + 1 + wire::order_size(member[1]); }

// Return how many members are free for a group: a member of an armed group in this slot will be replaced.
uint8_t room_for(uint8_t slot) {
  uint8_t room = limits::REFLEXES;
  for (uint8_t member = 0; member < top; member++) {
    const Key& key = keys[member];
    if (key.edge != NO_EDGE && (key.group != slot || groups[slot].staged)) room--;
  }
  return room;
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

// Take a group out of the order of ranks. Return the rank behind all others.
uint8_t leave_ranks(uint8_t slot) {
  groups[slot].used = 0;
  uint8_t count = 0;
  for (Group& group : groups) {
    if (!group.used) continue;
    if (group.rank > groups[slot].rank) group.rank--;
    count++;
  }
  return count;
}

void remove(uint8_t slot) {
  remove_members(slot);
  leave_ranks(slot);
}

void link(uint8_t member, limits::EdgeKey edge, uint8_t slot) {
  for (uint8_t other = 0; other < top; other++) {
    if (keys[other].edge == edge && keys[other].group == slot) keys[other].edge = NO_EDGE;  // it is replaced
  }
  keys[member].edge = edge;
  keys[member].group = slot;
  if (top <= member) top = member + 1;
}

bool in_time(const Group& group, uint32_t stamp) {
  return !group.staged && !group.over && (!group.bounded || !ticks::before(group.until, stamp));
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

// Let a group be staged, and find its slot. An armed one with this number loses its members, but keeps its rank. Return
// why not, or 0.
uint8_t stage(uint8_t number, uint8_t count, uint8_t& slot) {
  hal::SchedulerLock lock;
  scheduler::catch_up();
  slot = slots::find(groups, number);
  bool is_new = slot == limits::NONE;
  if (room_for(slot) < count) return wire::REASON_NO_ROOM;
  if (is_new) slot = slots::find_free(groups);
  if (slot == limits::NONE) return wire::REASON_NO_ROOM;
  Group& group = groups[slot];
  if (!is_new && group.staged) return 0;
  if (is_new) {
    group.number = number;
    group.rank = limits::GROUPS - 1;
    group.rank = leave_ranks(slot);
    group.used = 1;
  } else {
    remove_members(slot);
  }
  group.staged = 1;
  group.is_new = is_new;
  group.bounded = group.over = 0;
  return 0;
}

bool any_newer(const uint8_t* member, uint8_t count, uint16_t seen) {
  hal::SchedulerLock lock;
  scheduler::catch_up();
  for (; count--; member = behind(member)) {
    if (inputs::has_newer_edge(*member, seen)) return true;
  }
  return false;
}

}  // namespace

// The scheduler goes on while actions are copied into members that are not in use, because that takes long. Only the
// main loop takes such members into use.
uint8_t add_members(uint8_t number, uint8_t count, const uint8_t* members) {
  uint8_t slot;
  if (uint8_t reason = stage(number, count, slot)) return reason;
  for (uint8_t next = 0; count--; members = behind(members)) {
    while (keys[next].edge != NO_EDGE) next++;
    read_action(members + 1, actions[next]);
    hal::SchedulerLock lock;
    link(next, edge_of(*members), slot);
  }
  return 0;
}

uint8_t complete(const wire::OrderArm& head, const uint8_t* members) {
  if (uint8_t reason = add_members(head.group, head.count, members)) return reason;
  hal::SchedulerLock lock;
  Group& group = groups[slots::find(groups, head.group)];
  group.bounded = head.bounded != 0;
  group.until = head.until;
  return 0;
}

uint8_t arm_staged(uint8_t number, uint16_t seen) {
  hal::SchedulerLock lock;
  scheduler::catch_up();
  uint8_t slot = slots::find(groups, number);
  if (slot == limits::NONE) return wire::REASON_UNKNOWN;
  for (uint8_t member = 0; member < top; member++) {
    const Key& key = keys[member];
    if (key.group == slot && key.edge != NO_EDGE && inputs::has_newer_edge(edge_code_of(key.edge), seen)) {
      remove(slot);
      return wire::REASON_NEWER_EDGE;
    }
  }
  Group& group = groups[slot];
  if (group.is_new) group.rank = leave_ranks(slot);
  group.used = 1;
  group.is_new = group.staged = 0;
  return 0;
}

// The first check leaves a group with this number as it is. The second one is for edges that come meanwhile.
uint8_t arm(const wire::OrderArm& head, const uint8_t* members, uint16_t seen) {
  if (any_newer(members, head.count, seen)) return wire::REASON_NEWER_EDGE;
  uint8_t reason = complete(head, members);
  return reason ? reason : arm_staged(head.group, seen);
}

void end_batch() {
  hal::SchedulerLock lock;
  for (uint8_t slot = 0; slot < limits::GROUPS; slot++) {
    if (groups[slot].used && groups[slot].staged) remove(slot);
  }
}

void disarm(uint8_t number) {
  uint8_t slot = slots::find(groups, number);
  if (slot != limits::NONE && !groups[slot].staged) remove(slot);
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
