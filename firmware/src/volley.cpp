// SPDX-License-Identifier: BSD-3-Clause

#include "lean.h"

#include "volley.h"

#include <string.h>

#include "channels.h"

namespace volley {

volatile uint8_t kept, held;

namespace {

struct Shot {
  uint16_t at;  // the low half of when; of one that was fired, of when that was
  uint8_t who;  // on the agenda
  Aim aim;
};

Shot shots[limits::SHOTS];  // by time
volatile uint8_t done;      // how many of them have been fired
volatile bool crowded;

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

// Whether it is the end of an output's own pulse, or of its tone. It waits for nobody.
bool is_end(const Shot& shot) {
  if (shot.who >= limits::CHANNELS || shot.who != shot.aim.channel) return false;
  return shot.aim.port == SILENCE || (shot.aim.port != START && shot.aim.level == channels[shot.who].output.inverted);
}

void fire_on_time(Shot& shot);

// The first must wait: what need not passes it.
OUT_OF_LINE void pass() {
  for (uint8_t place = done + 1; place < kept; place++) {
    Shot shot = shots[place];
    if (!is_end(shot)) continue;
    if (!hal::is_soon(shot.at)) return;
    if (!shot.aim.known) continue;
    fire_on_time(shot);
    remove(place);
    open(done) = shot;
    done = done + 1;
  }
}

}  // namespace

void clear() {
  hal::Pause pause;
  kept = done = 0;
  held = 0;
  crowded = false;
}

void hold() { held = held + 1; }

void let_go() {
  hal::Pause pause;
  held = held - 1;
  strike();
}

void fire_held() {
  hal::Pause pause;
  held = held - 1;
  strike();
  held = held + 1;
}

uint16_t ticks_left(uint16_t most) {
  if (done == kept) return most;
  int16_t left = shots[done].at - hal::tick();
  if (left < 1) return 1;
  return static_cast<uint16_t>(left) < most ? left : most;
}

void catch_up() {
  hal::Pause pause;
  crowded = false;
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

void doubt(uint8_t who) {
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

bool is_fired(uint8_t who, uint32_t& when, bool& any_pin) {
  for (uint8_t place = 0; place < done; place++) {
    const Shot& shot = shots[place];
    if (shot.who != who) continue;
    uint32_t now = hal::now();
    when = now - static_cast<uint16_t>(static_cast<uint16_t>(now) - shot.at);
    any_pin = shot.aim.mask;
    return true;
  }
  return false;
}

void close(uint8_t who) {
  hal::Pause pause;
  for (uint8_t place = 0; place < done; place++) {
    if (shots[place].who != who) continue;
    remove(place);
    done = done - 1;
    break;
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
  return (!held && !crowded && !(done && clashes(shot.aim))) || is_end(shot);
}

// Fire it on its tick.
void fire_on_time(Shot& shot) {
  hal::await(shot.at);
  fire(shot.aim);
  shot.at = hal::tick();
}

}  // namespace

void strike() {
  while (done < kept) {
    hal::look_at_pins();
    Shot& shot = shots[done];
    if (!hal::is_soon(shot.at)) return;
    if (!is_free(shot)) break;
    fire_on_time(shot);
    done = done + 1;
  }
  if (done < kept) pass();
}

void add_fired(uint8_t who, const Aim& aim) {
  Shot& shot = open(done);
  shot.at = hal::tick();
  shot.who = who;
  shot.aim = aim;
  done = done + 1;
}

bool fire_now(uint8_t who, const Aim& aim) {
  hal::Pause pause;
  if (held || kept == limits::SHOTS || (done && clashes(aim))) return false;
  fire(aim);
  add_fired(who, aim);
  return true;
}

bool add(uint8_t who, uint16_t at, const Aim& aim) {
  hal::Pause pause;
  if (kept == limits::SHOTS) {
    crowded = true;
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
