// SPDX-License-Identifier: BSD-3-Clause
//
// What happens to pins next, aimed before its time. The interrupt of the clock fires it on the tick, whatever else the
// chip is busy with; the books are kept afterwards, and until then nothing is fired that they could forbid.

#pragma once

#include <stdint.h>

#include "hal.h"
#include "limits.h"
#include "pin_action.h"

namespace volley {

// Shots that have been fired lie at the lower end, those that wait at the upper one, each in their order, so that none
// has to move for another to be fired. Where the next is that waits, and how many have been fired. How often it is held, and whether somebody who should be there found no
// room. A group that is being armed.
struct Shot {
  uint16_t at;  // the low half of when; of one that was fired, of when that was
  uint8_t who;  // on the agenda
  Aim aim;
};
constexpr uint8_t ROOM = limits::SHOTS;
extern volatile uint8_t next, done, held, barred;

void clear();

// Tell whether it may be fired, and there is nobody else. Only with interrupts off.
inline bool is_alone(const Aim& aim) {
  return static_cast<uint8_t>(next - done) == ROOM && !held && aim.group != barred;
}

// Fire what is due, and set the clock for the next. Only with interrupts off.
void strike();

// Fire nothing until it is let go as often.
void hold();
void let_go();

// Whether it is held.
bool is_held();

// Fire nothing of a group, which is being armed; any group again. NO_PLACE is none, and not NO_GROUP either.
constexpr uint8_t NO_PLACE = 0xFE;
void bar(uint8_t group);
void unbar();

// Fire what is due, and whatever `first` and those behind it wait for, which was aimed so far ahead; let go if nothing
// of them is left and `lets_go`, and tell whether.
constexpr uint16_t ON_CALL = 0x7000;
bool fire_held(uint8_t first, bool lets_go);

// How long it is to the next, or at most so long.
uint16_t ticks_left(uint16_t most);

// Aim at something, in the order of their times: `at` is the low half of when. A strike must follow. False when there
// is no room; then nothing is fired before `catch_up` says that everybody is there again who should be.
bool add(uint8_t who, uint16_t at, const Aim& aim);
void catch_up();
bool has_room();

// Fire it before all that waits; false when it must wait itself, or there is no room.
bool fire_now(uint8_t who, const Aim& aim);

// The same, unless something waits that comes before `at`. Only with interrupts off.
bool fire_at_once(uint8_t who, uint16_t at, const Aim& aim);

// Aim anew what has not been fired; false when nothing of `who` waits.
bool aim_again(uint8_t who, const Aim& aim);

// What of `who` has not been fired is off; is not to be fired before it has been aimed anew; whatever uses an output.
void drop(uint8_t who);
void doubt(uint8_t who);
void doubt_output(uint8_t channel, bool exclusive);

// Whether something of `who` waits: not at all, in doubt, or aimed.
enum Waits : uint8_t { NOT_AT_ALL, IN_DOUBT, AIMED };
Waits waits(uint8_t who);

// It has been fired then, before all that waits.
void note(uint8_t who, uint16_t at, const Aim& aim);

// Of what has been fired: whether there is anything; whether it ended a group; the first; whether `who` is among it;
// when, if that was at a pin.
bool any_fired();
bool has_ended(uint8_t group);
uint8_t first_fired();
bool is_fired(uint8_t who);
bool recall(uint8_t who, uint32_t& when);

// The books of it have been kept.
void close(uint8_t who);

}  // namespace volley
