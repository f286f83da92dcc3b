// SPDX-License-Identifier: BSD-3-Clause

#include "reflexes.h"

#include "inputs.h"
#include "lookahead.h"
#include "scheduler.h"
#include "slots.h"
#include "ticks.h"

namespace reflexes {

bool are_suspended;

namespace {

// The members of all groups lie in two arrays, their keys and their actions.
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
  limits::EdgeKey acts : 1;                  // some member does something
  limits::EdgeKey several : 1;               // its members are edges of several inputs
  limits::EdgeKey rank : limits::RANK_BITS;  // of groups that share an edge, the one that was armed first goes first
  uint32_t until;
};
static_assert(limits::GROUPS <= 1U << limits::RANK_BITS, "a rank fits its bits");

Key keys[limits::REFLEXES];
Action actions[limits::REFLEXES];
Group groups[limits::GROUPS];
uint8_t top;  // members from this index on are not in use

limits::EdgeKey edge_of(uint8_t edge_code) { return (edge_code & ~wire::LEVEL) << 1 | edge_code >> 7; }
uint8_t channel_of(limits::EdgeKey edge) { return edge >> 1; }

bool is_of(uint8_t member, uint8_t slot) { return keys[member].edge != NO_EDGE && keys[member].group == slot; }

uint8_t members_of_others(uint8_t slot) {
  uint8_t count = 0;
  for (uint8_t member = 0; member < top; member++) count += keys[member].edge != NO_EDGE && !is_of(member, slot);
  return count;
}

void remove_members(uint8_t slot) {
  uint8_t last = 0;
  for (uint8_t member = 0; member < top; member++) {
    Key& key = keys[member];
    if (is_of(member, slot)) {
      lookahead::invalidate(channel_of(key.edge));
      key.edge = NO_EDGE;
    } else if (key.edge != NO_EDGE) {
      last = member + 1;
    }
  }
  top = last;
}

// Let no interrupt execute an action of a group from now on.
void invalidate(uint8_t slot) {
  for (uint8_t member = 0; member < top; member++) {
    if (is_of(member, slot)) lookahead::invalidate(channel_of(keys[member].edge));
  }
}

uint8_t next_rank() {
  uint8_t rank = 0;
  for (const Group& group : groups) rank += group.used;
  return rank;
}

void remove(uint8_t slot) {
  remove_members(slot);
  groups[slot].used = 0;
  for (Group& group : groups) {
    if (group.used && group.rank > groups[slot].rank) group.rank--;
  }
}

void add(uint8_t slot, uint8_t edge_code, const uint8_t* order) {
  limits::EdgeKey edge = edge_of(edge_code);
  uint8_t room = top;
  for (uint8_t member = top; member--;) {
    const Key& key = keys[member];
    if (key.edge == NO_EDGE) room = member;
    if (key.edge != edge || key.group != slot) continue;
    room = member;  // a second member for the same edge replaces the first
    break;
  }
  keys[room].edge = edge;
  keys[room].group = slot;
  read_action(order, actions[room]);
  if (order[0] >= wire::ORDER_START) hal::track_edges(true);
  if (!actions[room].is_noop()) groups[slot].acts = 1;
  if (top <= room) top = room + 1;
}

bool any_newer(const uint8_t* member, uint8_t count, uint16_t seen) {
  for (; count--; member += 1 + wire::order_size(member[1])) {
    if (inputs::has_newer_edge(*member, seen)) return true;
  }
  return false;
}

bool in_time(const Group& group, uint32_t stamp) {
  return !group.over && (!group.bounded || !ticks::before(group.until, stamp));
}

// Return the member for an edge whose group was armed first, or NONE; count the members for that edge.
uint8_t first_member(uint8_t edge_code, uint32_t stamp, uint8_t& count) {
  uint8_t best = limits::NONE;
  limits::EdgeKey edge = edge_of(edge_code);
  count = 0;
  for (uint8_t member = 0; member < top; member++) {
    if (keys[member].edge != edge) continue;
    count++;
    const Group& group = groups[keys[member].group];
    if (!in_time(group, stamp)) continue;
    if (best == limits::NONE || group.rank < groups[keys[best].group].rank) best = member;
  }
  return best;
}

}  // namespace

uint8_t arm(const wire::OrderArm& head, const uint8_t* members, uint16_t seen) {
  if (any_newer(members, head.count, seen)) return wire::REASON_NEWER_EDGE;
  if (head.count > limits::MEMBERS) return wire::REASON_NO_ROOM;
  uint8_t slot = slots::find(groups, head.group);
  if (members_of_others(slot) + head.count > limits::REFLEXES) return wire::REASON_NO_ROOM;
  bool is_new = slot == limits::NONE;
  if (is_new) slot = slots::find_free(groups);
  if (slot == limits::NONE) return wire::REASON_NO_ROOM;
  if (!is_new) invalidate(slot);
  const uint8_t* member = members;
  bool has_changed = false, several = false;
  for (uint8_t count = head.count; count--; member += 1 + wire::order_size(member[1])) {
    uint8_t channel = *member & ~wire::LEVEL;
    lookahead::invalidate(channel);
    has_changed |= inputs::has_changed(channel);
    if ((*member ^ *members) & ~wire::LEVEL) several = true;
  }
  if (!pin_events::is_paused() && (pin_events::any_executed() || has_changed)) return AGAIN;
  if (is_new) {
    groups[slot].rank = next_rank();
  } else {
    remove_members(slot);
  }
  Group& group = groups[slot];
  group.number = head.group;
  group.used = 1;
  group.over = group.acts = 0;
  group.several = several;
  group.bounded = head.bounded != 0;
  group.until = head.until;
  for (uint8_t count = head.count; count--; members += 1 + wire::order_size(members[1])) {
    add(slot, members[0], members + 1);
  }
  return 0;
}

uint8_t disarm(uint8_t number) {
  uint8_t slot = slots::find(groups, number);
  if (slot == limits::NONE) return 0;
  invalidate(slot);
  if (!pin_events::is_paused() && pin_events::has_ended(slot)) return AGAIN;
  remove(slot);
  return 0;
}

bool is_armed(uint8_t number) { return slots::find(groups, number) != limits::NONE; }

bool prepare(uint8_t number) {
  uint8_t slot = slots::find(groups, number);
  bool all = true;
  // An edge of one input must not end the group before an earlier edge of another input is known.
  if (slot != limits::NONE && groups[slot].several) pin_events::block_group(slot);
  for (uint8_t member = 0; member < top; member++) {
    if (is_of(member, slot) && !lookahead::resolve_now(channel_of(keys[member].edge))) all = false;
  }
  return all;
}

void forget() {
  for (Group& group : groups) group.used = 0;
  for (Key& key : keys) key.edge = NO_EDGE;
  top = 0;
  hal::track_edges(false);
}

uint8_t fire(uint8_t edge_code, uint32_t stamp) {
  uint8_t ended = 0, count = 2;
  bool did = false;
  while (count > 1) {
    uint8_t member = first_member(edge_code, stamp, count);
    if (member == limits::NONE) break;
    uint8_t slot = keys[member].group, number = groups[slot].number;
    const Action& action = actions[member];
    if (action.is_noop()) {
      if (!did) ended = number;
    } else if (!did && scheduler::perform(action) == 0) {
      did = true;
      ended = number;
    }
    remove(slot);
  }
  return ended;
}

const Action* describe(uint8_t edge_code, uint32_t stamp, pin_events::PinAction& pin_action) {
  uint8_t count, member = first_member(edge_code, stamp, count);
  if (member == limits::NONE) return nullptr;
  uint8_t group = keys[member].group;
  if (groups[group].acts) pin_action.group = group;
  pin_action.is_complex = count > 1;  // the edge ends other groups too
  return &actions[member];
}

bool is_bounded(uint8_t slot) { return groups[slot].bounded; }

bool was_in_time(uint8_t slot, uint16_t at) { return !groups[slot].bounded || in_time(groups[slot], hal::extend(at)); }

bool lasts(uint8_t slot, uint32_t stamp) { return in_time(groups[slot], stamp); }

void maintain(uint32_t now) {
  for (Group& group : groups) {
    if (!group.used || !group.bounded) continue;
    uint32_t ago = now - group.until;
    if (ago - ticks::HORIZON < ticks::HORIZON) group.over = 1;
  }
}

}  // namespace reflexes
