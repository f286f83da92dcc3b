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

Shot shots[limits::SHOTS];         // by time
volatile uint8_t kept, done;       // how many there are; how many of them have been fired
volatile uint8_t held;             // how often,
constexpr uint8_t CROWDED = 0x80;  // and whether somebody who should be there found no room

void remove(uint8_t place) {
  kept = kept - 1;
  memmove(shots + place, shots + place + 1, (kept - place) * sizeof(Shot));
}

// Make room for a shot before one of them, or behind all.
inline Shot& open(uint8_t place) {
  Shot* shot = shots + place;
  uint8_t behind = kept - place;
  if (behind) memmove(shot + 1, shot, behind * sizeof(Shot));
  kept = kept + 1;
  return *shot;
}

bool is_end(const Shot& shot) { return is_end(shot.who, shot.aim); }

// Where the first is of what was fired of somebody, or NONE. It stays there whatever is fired meanwhile.
uint8_t find_fired(uint8_t who) {
  for (uint8_t place = 0; place < done; place++) {
    if (shots[place].who == who) return place;
  }
  return limits::NONE;
}

void fire_next();
bool is_free(const Shot& shot);

// Fire it before those that wait.
void fire_first(uint8_t place, uint16_t at) {
  shots[place].at = at;
  uint8_t* first = reinterpret_cast<uint8_t*>(shots + done);
  uint8_t* byte = reinterpret_cast<uint8_t*>(shots + place);
  uint8_t over = byte - first;
  for (byte += sizeof(Shot) - 1; over--; byte--) {  // it passes one after the other
    uint8_t& other = *(byte - sizeof(Shot));
    uint8_t passed = other;
    other = *byte;
    *byte = passed;
  }
  fire_next();
}

// The first must wait: what need not passes it.
OUT_OF_LINE void pass() {
  for (uint8_t place = done + 1; place < kept; place++) {
    const Shot& shot = shots[place];
    if (!is_end(shot)) continue;
    if (!hal::is_soon(shot.at)) return;
    if (shot.aim.known) fire_first(place, shot.at);
  }
}

}  // namespace

void clear() {
  hal::Pause pause;
  kept = done = held = 0;
}

bool is_end(uint8_t who, const Aim& aim) {
  if (who >= limits::CHANNELS || who != aim.channel) return false;
  return aim.port == SILENCE || (aim.port != START && aim.level == channels[who].output.inverted);
}

OUT_OF_LINE bool is_held() { return held & ~CROWDED; }
void hold() { held = held + 1; }

void let_go() {
  hal::Pause pause;
  held = held - 1;
  strike();
}

bool fire_held(uint8_t first, bool lets_go) {
  hal::Pause pause;
  held = held - 1;
  strike();
  for (uint8_t place = done; place < kept; place++) {
    const Shot& shot = shots[place];
    if (shot.who < first) continue;
    if (is_free(shot)) {
      fire_first(place, hal::tick());
    } else {
      lets_go = false;
    }
  }
  if (!lets_go) held = held + 1;
  return lets_go;
}

uint16_t ticks_left(uint16_t most) {
  if (done == kept) return most;
  int16_t left = shots[done].at - hal::tick();
  if (left < 1) return 1;
  return static_cast<uint16_t>(left) < most ? left : most;
}

void catch_up() {
  hal::Pause pause;
  held = held & ~CROWDED;
  strike();
}

bool has_room() { return kept < limits::SHOTS; }

bool aim_again(uint8_t who, const Aim& aim) {
  hal::Pause pause;
  for (uint8_t place = done; place < kept; place++) {
    if (shots[place].who != who) continue;
    shots[place].aim = aim;
    return true;
  }
  return false;
}

void drop(uint8_t who) {
  if (kept == done) return;
  hal::Pause pause;
  for (uint8_t place = kept; place > done; place--) {
    if (shots[place - 1].who == who) remove(place - 1);
  }
}

OUT_OF_LINE void doubt(uint8_t who) {
  if (kept == done) return;
  hal::Pause pause;
  for (uint8_t place = done; place < kept; place++) {
    if (shots[place].who == who) shots[place].aim.known = 0;
  }
}

void doubt_output(uint8_t channel, bool exclusive) {
  if (kept == done) return;
  hal::Pause pause;
  for (uint8_t place = done; place < kept; place++) {
    Aim& aim = shots[place].aim;
    if (aim.channel == channel || (exclusive && aim.exclusive)) aim.known = 0;
  }
}

Waits waits(uint8_t who) {
  hal::Pause pause;
  Waits result = NOT_AT_ALL;
  for (uint8_t place = 0; place < kept; place++) {  // what was fired meanwhile must not be aimed a second time
    if (shots[place].who != who) continue;
    if (!shots[place].aim.known) return IN_DOUBT;
    result = AIMED;
  }
  return result;
}

bool any_fired() { return done; }
bool has_ended(uint8_t group) {
  for (uint8_t place = 0; place < done; place++) {
    if (shots[place].aim.group == group) return true;
  }
  return false;
}

uint8_t first_fired() { return shots[0].who; }

bool is_fired(uint8_t who) { return find_fired(who) != limits::NONE; }

bool recall(uint8_t who, uint32_t& when) {
  uint8_t place = find_fired(who);
  if (place == limits::NONE || !shots[place].aim.mask) return false;
  uint32_t now = hal::now();
  when = now - static_cast<uint16_t>(static_cast<uint16_t>(now) - shots[place].at);
  return true;
}

void close(uint8_t who) {
  hal::Pause pause;
  uint8_t place = find_fired(who);
  if (place != limits::NONE) {
    remove(place);
    done = done - 1;
  }
  strike();
}

}  // namespace volley

// --- what is done between a tick and its pin ---

namespace volley {

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
  for (uint8_t place = 0; place < done; place++) {
    const Aim& before = shots[place].aim;
    if (before.opaque || (before.exclusive && aim.exclusive)) return true;
    if (before.channel != limits::NO_CHANNEL && before.channel == aim.channel) return true;
    if (before.group != NO_GROUP && before.group == aim.group) return true;
  }
  return false;
}

namespace {

bool is_free(const Shot& shot) {
  if (!shot.aim.known) return false;
  return (!held && !(done && clashes(shot.aim))) || is_end(shot);
}

// Fire the first of those that wait on its tick.
void fire_next() {
  Shot& shot = shots[done];
  hal::await(shot.at);
  fire(shot.aim);
  shot.at = hal::tick();
  done = done + 1;
}

}  // namespace

void strike() {
  while (done < kept) {
    hal::look_at_pins();
    Shot& shot = shots[done];
    if (!hal::is_soon(shot.at)) return;
    if (!is_free(shot)) break;
    fire_next();
  }
  if (done < kept) pass();
}

bool fire_at_once(uint8_t who, uint16_t at, const Aim& aim) {
  if (held || kept == limits::SHOTS) return false;
  if (done < kept) {
    int16_t ahead = shots[done].at - at;
    if (ahead <= 0) return false;
    if (ahead < hal::SOON) strike();  // it would be late, for this takes longer
  }
  if (done && clashes(aim)) return false;
  fire(aim);
  Shot& shot = open(done);
  shot.at = hal::tick();
  shot.who = who;
  shot.aim = aim;
  done = done + 1;
  return true;
}

bool fire_now(uint8_t who, const Aim& aim) {
  hal::Pause pause;
  return fire_at_once(who, done < kept ? shots[done].at - 1 : 0, aim);
}

bool add(uint8_t who, uint16_t at, const Aim& aim) {
  hal::Pause pause;
  if (kept == limits::SHOTS) {
    held = held | CROWDED;
    return false;
  }
  uint8_t place = kept;
  while (place > done && static_cast<int16_t>(at - shots[place - 1].at) < 0) place--;
  Shot& shot = open(place);
  shot.at = at;
  shot.who = who;
  shot.aim = aim;
  return true;
}

}  // namespace volley
