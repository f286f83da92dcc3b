// SPDX-License-Identifier: BSD-3-Clause

#include "lean.h"

#include "volley.h"

#include <string.h>

#include "channels.h"

namespace volley {

namespace {

struct Shot {
  uint16_t at;  // the low half of when; of one that was fired, of when that was
  uint8_t who;  // on the agenda
  Aim aim;
};

Shot shots[limits::SHOTS];  // by time
constexpr uint8_t NEAR = 64, CROWDED = 0x80;  // what is so many ticks behind an edge comes before it; a bit of `held`
constexpr uint8_t STEP = sizeof(Shot), ROOM = sizeof(shots);  // a place is counted in bytes: to multiply takes time
inline Shot& shot_at(uint8_t place) { return *reinterpret_cast<Shot*>(reinterpret_cast<uint8_t*>(shots) + place); }

void remove(uint8_t place) {
  kept = kept - STEP;
  memmove(&shot_at(place), &shot_at(place + STEP), kept - place);
}

// Keep a shot before one of them, or behind all.
void insert(uint8_t place, uint8_t who, uint16_t at, const Aim& aim) {
  Shot* shot = &shot_at(place);
  uint8_t behind = kept - place;
  if (behind) memmove(shot + 1, shot, behind);
  kept = kept + STEP;
  *shot = Shot{at, who, aim};
}

// Where the next is of somebody from a place on, or `beyond`. What was fired stays in its place whatever is fired
// meanwhile.
OUT_OF_LINE uint8_t find(uint8_t who, uint8_t place, uint8_t beyond) {
  while (place != beyond && shot_at(place).who != who) place += STEP;
  return place;
}

}  // namespace

void clear() {
  hal::Pause pause;
  kept = 0, done = 0, held = 0, barred = NO_PLACE;
}

bool is_end(uint8_t who, const Aim& aim) {
  if (who >= limits::CHANNELS || who != aim.channel) return false;
  return aim.port == SILENCE || (aim.port != START && aim.level == channels[who].output.inverted);
}

OUT_OF_LINE bool is_held() { return held & ~CROWDED; }
void hold() { held = held + 1; }
void bar(uint8_t group) { barred = group; }
bool has_room() { return kept != ROOM; }
bool any_fired() { return done; }
uint8_t first_fired() { return shots[0].who; }

void let_go() {
  hal::Pause pause;
  held = held - 1;
  strike();
}

uint16_t ticks_left(uint16_t most) {
  if (done == kept) return most;
  int16_t left = shot_at(done).at - hal::tick();
  return left < 1 ? 1 : static_cast<uint16_t>(left) < most ? left : most;
}

void unbar() {
  hal::Pause pause;
  barred = NO_PLACE;
  strike();
}

void catch_up() {
  hal::Pause pause;
  held = held & ~CROWDED;
  strike();
}

bool aim_again(uint8_t who, const Aim& aim) {
  hal::Pause pause;
  uint8_t place = find(who, done, kept);
  if (place == kept) return false;
  shot_at(place).aim = aim;
  return true;
}

void drop(uint8_t who) {
  if (kept == done) return;
  hal::Pause pause;
  uint8_t place = done;
  while ((place = find(who, place, kept)) != kept) remove(place);
}

OUT_OF_LINE void doubt(uint8_t who) {
  hal::Pause pause;
  for (uint8_t place = done; (place = find(who, place, kept)) != kept; place += STEP) shot_at(place).aim.known = 0;
}

void doubt_output(uint8_t channel, bool exclusive) {
  if (kept == done) return;
  hal::Pause pause;
  for (uint8_t place = done; place < kept; place += STEP) {
    Aim& aim = shot_at(place).aim;
    if (aim.channel == channel || (exclusive && aim.exclusive)) aim.known = 0;
  }
}

Waits waits(uint8_t who) {
  hal::Pause pause;
  Waits result = NOT_AT_ALL;
  for (uint8_t place = 0; (place = find(who, place, kept)) != kept; place += STEP) {
    if (place < done) return AIMED;  // what was fired must not be aimed a second time
    if (!shot_at(place).aim.known) return IN_DOUBT;
    result = AIMED;
  }
  return result;
}

bool has_ended(uint8_t group) {
  for (uint8_t place = 0; place < done; place += STEP) {
    if (shot_at(place).aim.group == group) return true;
  }
  return false;
}

bool is_fired(uint8_t who) {
  uint8_t beyond = done;
  return find(who, 0, beyond) != beyond;
}

bool recall(uint8_t who, uint32_t& when) {
  uint8_t beyond = done, place = find(who, 0, beyond);
  if (place == beyond || !shot_at(place).aim.mask) return false;
  when = hal::last_at(shot_at(place).at);
  return true;
}

void close(uint8_t who) {
  hal::Pause pause;
  uint8_t place = find(who, 0, done);
  if (place != done) {
    remove(place);
    done = done - STEP;
  }
  strike();
}

// --- what is done between a tick and its pin ---

void note(uint8_t who, const Aim& aim) {
  hal::look_at_pins();
  insert(done, who, hal::tick(), aim);
  done = done + STEP;
}

void fire(const Aim& aim) {
  if (!aim.mask) return;
  if (aim.port == START) {
    hal::start(aim.mask - 1);
  } else if (aim.port == SILENCE) {
    hal::silence(aim.mask - 1, aim.level);
  } else {
    hal::drive(hal::Pin{aim.port, aim.mask}, aim.level);
  }
}

bool clashes(const Aim& aim) {
  const Shot* beyond = &shot_at(done);
  for (const Shot* shot = shots; shot != beyond; shot++) {
    const Aim& before = shot->aim;
    if (before.opaque || (before.exclusive && aim.exclusive)) return true;
    if (before.channel != limits::NO_CHANNEL && before.channel == aim.channel) return true;
    if (before.group != NO_GROUP && before.group == aim.group) return true;
  }
  return false;
}

namespace {

// Tell whether it is the turn of an output or a sequence, which an edge may stop.
bool is_turn(const Shot& shot) { return shot.who >= limits::CHANNELS || shot.who == shot.aim.channel; }

bool is_free(const Shot& shot) {
  if (!shot.aim.known || shot.aim.group == barred) return false;
  bool must_wait = held || (done && clashes(shot.aim)) || (hal::is_behind() && is_turn(shot));
  return !must_wait || is_end(shot.who, shot.aim);
}

// Fire the first of those that wait on its tick, and with it what is due on the same tick and free.
void fire_next() {
  Shot *shot = &shot_at(done), *next = shot;
  uint16_t at = shot->at;
  do {
    done = done + STEP;
    next++;
  } while (done != kept && next->at == at && is_free(*next));
  hal::await(at);
  for (; shot != next; shot++) {
    fire(shot->aim);
    shot->at = hal::tick();
  }
}

// Fire it before those that wait.
void fire_first(uint8_t place, uint16_t at) {
  shot_at(place).at = at;
  uint8_t over = place - done;
  uint8_t* byte = reinterpret_cast<uint8_t*>(&shot_at(place));
  for (byte += STEP - 1; over--; byte--) {  // it passes one after the other
    uint8_t& other = *(byte - STEP);
    uint8_t passed = other;
    other = *byte;
    *byte = passed;
  }
  fire_next();
}

// The first must wait: what need not passes it.
OUT_OF_LINE void pass() {
  for (uint8_t place = done + STEP; place < kept; place += STEP) {
    const Shot& shot = shot_at(place);
    if (!is_end(shot.who, shot.aim)) continue;
    if (!hal::is_soon(shot.at)) return;
    if (shot.aim.known) fire_first(place, shot.at);
  }
}

// Tell whether something waits that comes before then.
bool is_before(uint16_t at) { return done < kept && static_cast<int16_t>(shot_at(done).at - at) < 0; }

}  // namespace

void strike() {
  while (done < kept) {
    hal::look_at_pins();
    const Shot& shot = shot_at(done);
    if (!hal::is_soon(shot.at)) return;
    if (!is_free(shot)) break;
    fire_next();
  }
  if (done < kept) pass();
}

bool fire_held(uint8_t first, bool lets_go) {
  hal::Pause pause;
  held = held - 1;
  strike();
  for (uint8_t place = done; place < kept; place += STEP) {
    const Shot& shot = shot_at(place);
    if (shot.who < first) continue;
    hal::look_at_pins();
    bool goes = is_free(shot);
    if (goes) fire_first(place, hal::tick());
    lets_go &= goes;
  }
  if (!lets_go) held = held + 1;
  return lets_go;
}

bool fire_at_once(uint8_t who, uint16_t at, const Aim& aim) {
  if (held || aim.group == barred) return false;
  if (kept) {
    if (!has_room()) return false;
    if (is_before(at + NEAR)) strike();  // it would be late, for this takes longer
    if (is_before(at + 1) || clashes(aim)) return false;
  }
  fire(aim);
  note(who, aim);
  return true;
}

bool fire_now(uint8_t who, const Aim& aim) {
  hal::Pause pause;
  return fire_at_once(who, done < kept ? shot_at(done).at - 1 : 0, aim);
}

bool add(uint8_t who, uint16_t at, const Aim& aim) {
  hal::Pause pause;
  if (!has_room()) {
    held = held | CROWDED;
    return false;
  }
  uint8_t place = kept;
  while (place != done && static_cast<int16_t>(at - shot_at(place - STEP).at) < 0) place -= STEP;
  insert(place, who, at, aim);
  return true;
}

}  // namespace volley
