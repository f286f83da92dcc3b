// SPDX-License-Identifier: BSD-3-Clause

#include "pin_events.h"

#include <string.h>

namespace volley {

volatile uint8_t next, done, held, barred;

namespace {

Shot shots[limits::SHOTS];
constexpr uint8_t NEAR = 64, CROWDED = 0x80;  // what is so many ticks behind an edge comes before it; a bit of `held`

// Where the next is of somebody from a place on, or `beyond`. What was fired stays in its place whatever is fired
// meanwhile.
uint8_t find(uint8_t who, uint8_t place, uint8_t beyond) {
  while (place != beyond && shots[place].who != who) place++;
  return place;
}

// When it is the turn of the next: earlier if another is due on the same tick, for that is found out about first, too.
uint16_t turn_of_next() {
  const Shot* shot = &shots[next];
  return next != ROOM - 1 && shot[1].at == shot->at ? shot->at - target::LEAD_OF_TWO : shot->at;
}

void keep(uint8_t place, uint8_t who, uint16_t at, const Aim& aim) { shots[place] = Shot{at, who, aim}; }

}  // namespace

void clear() {
  hal::InterruptsOff off;
  next = ROOM, done = 0, held = 0, barred = NO_PLACE;
}

bool is_held() { return held & ~CROWDED; }
void hold() { held = held + 1; }
void bar(uint8_t group) { barred = group; }
bool has_room() { return next != done; }
bool any_fired() { return done; }
uint8_t first_fired() { return shots[0].who; }

void let_go() {
  hal::InterruptsOff off;
  held = held - 1;
  strike();
}

uint16_t ticks_left(uint16_t most) {
  if (next == ROOM) return most;
  int16_t left = turn_of_next() - hal::tick();
  return left < 1 ? 1 : static_cast<uint16_t>(left) < most ? left : most;
}

void unbar() {
  hal::InterruptsOff off;
  barred = NO_PLACE;
  strike();
}

void catch_up() {
  hal::InterruptsOff off;
  held = held & ~CROWDED;
  strike();
}

bool aim_again(uint8_t who, const Aim& aim) {
  hal::InterruptsOff off;
  uint8_t place = find(who, next, ROOM);
  if (place == ROOM) return false;
  shots[place].aim = aim;
  return true;
}

void drop(uint8_t who) {
  if (next == ROOM) return;
  hal::InterruptsOff off;
  for (uint8_t place = next; (place = find(who, place, ROOM)) != ROOM; place++) {
    memmove(&shots[next + 1], &shots[next], (place - next) * sizeof(Shot));  // those before it go up by one, over it
    next = next + 1;
  }
}

void doubt(uint8_t who) {
  hal::InterruptsOff off;
  for (uint8_t place = next; (place = find(who, place, ROOM)) != ROOM; place++) shots[place].aim.known = 0;
}

void doubt_output(uint8_t channel, bool exclusive) {
  if (next == ROOM) return;
  hal::InterruptsOff off;
  for (uint8_t place = next; place != ROOM; place++) {
    Aim& aim = shots[place].aim;
    if (aim.channel == channel || (exclusive && aim.exclusive)) aim.known = 0;
  }
}

Waits waits(uint8_t who) {
  hal::InterruptsOff off;
  if (is_fired(who)) return AIMED;  // it must not be aimed a second time
  Waits result = NOT_AT_ALL;
  for (uint8_t place = next; (place = find(who, place, ROOM)) != ROOM; place++) {
    if (!shots[place].aim.known) return IN_DOUBT;
    result = AIMED;
  }
  return result;
}

bool has_ended(uint8_t group) {
  for (uint8_t place = 0; place < done; place++) {
    if (shots[place].aim.group == group) return true;
  }
  return false;
}

bool is_fired(uint8_t who) {
  uint8_t beyond = done;
  return find(who, 0, beyond) != beyond;
}

bool recall(uint8_t who, uint32_t& when) {
  uint8_t beyond = done, place = find(who, 0, beyond);
  if (place == beyond || !shots[place].aim.mask) return false;
  when = hal::last_at(shots[place].at);
  return true;
}

void close(uint8_t who) {
  hal::InterruptsOff off;
  uint8_t place = find(who, 0, done);
  if (place != done) {
    done = done - 1;
    memmove(&shots[place], &shots[place + 1], (done - place) * sizeof(Shot));
  }
  strike();
}

// --- what is done between a tick and its pin ---

void note(uint8_t who, uint16_t at, const Aim& aim) {
  keep(done, who, at, aim);
  done = done + 1;
  hal::look_at_pins();
}

namespace {

// Tell whether it is the turn of an output or a sequence, which an edge may stop.
bool is_turn(const Shot& shot) { return shot.who >= limits::CHANNELS || shot.who == shot.aim.channel; }

// Tell whether it must wait for the books of what has been fired, or of those that are about to be, from `first` on.
bool clashes(const Aim& aim, const Shot* first, const Shot* beyond) {
  const Shot* waiting = &shots[done];
  for (const Shot* shot = shots;; shot++) {
    if (shot == waiting) shot = first;
    if (shot == beyond) return false;
    const Aim& before = shot->aim;
    if (before.opaque || (before.exclusive && aim.exclusive)) return true;
    if (before.channel != limits::NO_CHANNEL && before.channel == aim.channel) return true;
    if (before.group != NO_GROUP && before.group == aim.group) return true;
  }
}

// Tell whether it may be fired, with those from `first` on, which are due on the same tick.
bool is_free(const Shot& shot, const Shot& first) {
  const Aim& aim = shot.aim;
  if (!aim.known || aim.group == barred) return false;
  if (!held && !(hal::is_behind() && is_turn(shot)) && !clashes(aim, &first, &shot)) return true;
  return is_end(shot.who, aim);
}

// Fire the next on its tick, and with it what is due on the same tick and free; unless an edge comes before.
void fire_next() {
  bool was_behind = hal::is_behind();
  Shot *first = &shots[next], *beyond = first + 1;
  uint16_t at = first->at;
  while (beyond != shots + limits::SHOTS && beyond->at == at && is_free(*beyond, *first)) beyond++;
  hal::await(at);
  if (hal::is_behind() != was_behind) return;
  for (Shot* shot = first; shot != beyond; shot++) {
    fire(shot->aim);
    shot->at = hal::tick();
  }
  for (; first != beyond; first++) {
    hal::look_at_pins();
    keep(done, first->who, first->at, first->aim);
    done = done + 1;
    next = next + 1;
  }
}

// Fire it before the others that wait.
void fire_first(uint8_t place, uint16_t at) {
  Shot shot = shots[place];
  memmove(&shots[next + 1], &shots[next], (place - next) * sizeof(Shot));
  shots[next] = shot;
  shots[next].at = at;
  fire_next();
}

// The first must wait: what need not passes it.
void pass() {
  for (uint8_t place = next + 1; place != ROOM; place++) {
    const Shot& shot = shots[place];
    if (!is_end(shot.who, shot.aim)) continue;
    if (!hal::is_soon(shot.at)) return;
    if (shot.aim.known) fire_first(place, shot.at);
  }
}

// How many ticks after then the next is due that waits.
int16_t ticks_after(uint16_t at) { return next == ROOM ? INT16_MAX : static_cast<int16_t>(shots[next].at - at); }

}  // namespace

void strike() {
  while (next != ROOM) {
    hal::look_at_pins();
    if (!hal::is_soon(turn_of_next())) return;
    const Shot& shot = shots[next];
    if (!is_free(shot, shot)) break;
    fire_next();
  }
  if (next != ROOM) pass();
}

bool fire_held(uint8_t first, bool lets_go) {
  hal::InterruptsOff off;
  held = held - 1;
  strike();
  for (uint8_t place = next; place != ROOM; place++) {
    const Shot& shot = shots[place];
    if (place < next || shot.who < first) continue;  // it may have gone with the one before
    hal::look_at_pins();
    bool goes = is_free(shot, shot);
    if (goes) fire_first(place, hal::tick());
    lets_go &= goes;
  }
  if (!lets_go) held = held + 1;
  return lets_go;
}

bool fire_at_once(uint8_t who, uint16_t at, const Aim& aim) {
  if (held || aim.group == barred) return false;
  if (done || next != ROOM) {
    if (!has_room()) return false;
    int16_t after = ticks_after(at);
    if (after < NEAR) {  // it would be late, for this takes longer
      strike();
      after = ticks_after(at);
    }
    if (after <= 0 || clashes(aim, shots + limits::SHOTS, shots + limits::SHOTS)) return false;
  }
  fire(aim);
  note(who, hal::tick(), aim);
  strike();
  return true;
}

bool fire_now(uint8_t who, const Aim& aim) {
  hal::InterruptsOff off;
  return fire_at_once(who, next != ROOM ? shots[next].at - 1 : 0, aim);
}

bool add(uint8_t who, uint16_t at, const Aim& aim) {
  hal::InterruptsOff off;
  if (!has_room()) {
    held = held | CROWDED;
    return false;
  }
  uint8_t place = next;
  next = next - 1;
  for (; place != ROOM && static_cast<int16_t>(at - shots[place].at) >= 0; place++) {
    const Shot& earlier = shots[place];
    keep(place - 1, earlier.who, earlier.at, earlier.aim);
  }
  keep(place - 1, who, at, aim);
  return true;
}

}  // namespace volley
