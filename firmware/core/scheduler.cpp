// SPDX-License-Identifier: BSD-3-Clause

#include "scheduler.h"

#include <string.h>

#include "timer_queue.h"
#include "lookahead.h"
#include "events.h"
#include "hal.h"
#include "inputs.h"
#include "orders.h"
#include "outputs.h"
#include "reflexes.h"
#include "sequences.h"
#include "ticks.h"
#include "pin_events.h"

Channel channels[limits::CHANNELS];

namespace chip {

namespace {

// So many things are done before the loop gets a chance, and so many more while the books of something that was fired
// are to be kept: nobody knows what comes behind it.
constexpr uint8_t AT_ONCE = 4, MORE = 4;

constexpr uint8_t SETTLES = 3;  // so often, what is fired meanwhile is booked before everything is held

uint8_t start_at(uint8_t sequence, uint32_t stamp) {
  if (!sequences::is_loaded(sequence)) return wire::REASON_UNKNOWN;
  return ticks::before(stamp, hal::now()) ? wire::REASON_PAST : sequences::start(sequence, stamp);
}

void do_due(uint8_t who, uint32_t at) {
  if (who >= agenda::FIRST_SEQUENCE) {
    sequences::due(who - agenda::FIRST_SEQUENCE, at);
  } else if (inputs::is_input(who)) {
    inputs::due(who, at);
  } else {
    outputs::due(who, at);
  }
}

void call(uint8_t who) {
  uint32_t at = agenda::due(who);
  if (agenda::take(who)) do_due(who, at);
}

void keep_books(uint8_t who) {
  call(who);
  outputs::finish();  // here and not deeper, where there is less stack left
}

// What is done now was fired before, if it was.
void recall(uint8_t who) {
  uint32_t when;
  if (volley::recall(who, when)) outputs::fired(when);
}

// It has been fired: keep its books. If it has none, every pin is put as the books of the others have it.
void book(uint8_t who) {
  if (agenda::has(who)) {
    recall(who);
    keep_books(who);
  } else {
    outputs::restore();
  }
  volley::close(who);
  if (!inputs::is_input(who)) aims::look_at(who);  // what it does next
}

// Take the oldest change, if there is one that does not come behind `who`.
bool take_capture(uint8_t who) {
  if (!hal::has_capture()) return false;
  hal::Capture capture;
  hal::get_capture(capture);
  if (who != agenda::NOBODY && ticks::before(agenda::due(who), capture.stamp)) return false;
  inputs::take(capture);
  hal::drop_capture();
  return true;
}

void book_first() {
  uint8_t who = volley::first_fired();
  if (!agenda::has(who) && take_capture(agenda::NOBODY)) return;  // the change that it was fired for comes first
  book(who);
}

bool fire_now(uint8_t who) {
  volley::Aim aim = aims::of(who);
  volley::drop(who);
  return volley::fire_now(who, aim);
}

void fire_held(uint8_t who) {
  volley::Aim aim = aims::of(who);
  volley::fire(aim);
  if (aim.mask) outputs::fired(hal::now());
}

// Tell whether it is an edge that would be lost if the change were taken first for which something was fired: a later
// edge, which forbids this one to fire. Its own input has changed once more.
bool would_be_lost(uint8_t who) {
  return inputs::is_input(who) && !agenda::has(volley::first_fired()) && inputs::has_changed(who);
}

// It is due and has not been fired: do it now, unless it has to wait for the books of something else.
void do_now(uint8_t who) {
  if (aims::concerns_nobody(who)) {
    keep_books(who);
  } else if (fire_now(who)) {
    book(who);
  } else if (volley::any_fired() && !would_be_lost(who)) {
    book_first();
  } else {
    volley::hold();
    reflexes::are_suspended = volley::any_fired();
    if (!reflexes::are_suspended) fire_held(who);
    keep_books(who);
    reflexes::are_suspended = false;
    volley::let_go();
  }
}

void safe() {
  sequences::forget();
  reflexes::forget();
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) aims::doubt(channel);
  outputs::all_off();
}

}  // namespace

uint8_t perform(const Deed& deed) {
  switch (deed.code) {
    case wire::ORDER_NOTHING:
    case wire::ORDER_CANCEL: return 0;
    case wire::ORDER_START: return sequences::start(deed.body.at.sequence, hal::now() + target::HEAD_START);
    case wire::ORDER_START_AT: return start_at(deed.body.at.sequence, deed.body.at.stamp);
    case wire::ORDER_STOP:
      sequences::stop(deed.body.at.sequence);
      return 0;
    default: return outputs::perform(deed);
  }
}

void make_safe() {
  hal::SchedulerLock lock;
  settle();
  safe();
  volley::let_go();
}

void forget() {
  hal::SchedulerLock lock;
  settle();
  safe();
  volley::let_go();
  hal::forget_pins();
  agenda::clear();
  memset(channels, 0, sizeof(channels));
  inputs::forget();
  outputs::forget();
  orders::refused = 0;
}

namespace {

// Who is first on the agenda; of inputs that are due at the same time, the one that is to be reported first.
uint8_t find_first() {
  uint8_t first = agenda::first(), best = first;
  if (first == agenda::NOBODY) return first;
  uint32_t at = agenda::due(first);
  for (uint8_t who = agenda::behind(first); who != agenda::NOBODY; who = agenda::behind(who)) {
    if (agenda::due(who) != at || !inputs::is_input(first)) break;
    if (inputs::is_input(who) && inputs::comes_before(who, best)) best = who;
  }
  if (best != first) agenda::bring_before(first, best);
  return best;
}

bool is_due(uint8_t who) { return !ticks::before(hal::now(), agenda::due(who)); }

// Do one thing of what has come, in the order of time; false when nothing has.
bool do_next() {
  hal::hear();
  uint8_t who = find_first();
  if (take_capture(who)) return true;
  bool any = who != agenda::NOBODY;
  if (any && volley::is_fired(who)) {
    book(who);
  } else if (any && is_due(who)) {
    do_now(who);
  } else if (volley::any_fired()) {
    book_first();
  } else {
    return false;
  }
  return true;
}

// Aim at what comes, also before a rest: what comes in it is fired on its tick.
void look_out() {
  uint32_t wake = aims::look_ahead(agenda::first());
  volley::catch_up();
  hal::wake_at(wake);  // also for what is due already
}

bool anything_came() {
  uint8_t first = agenda::first();
  return hal::has_capture() || volley::any_fired() || (first != agenda::NOBODY && is_due(first));
}

}  // namespace

void keep_up() {
  if (anything_came()) {
    service();
  } else {
    look_out();  // whoever calls may take long
  }
  agenda::changed = true;  // service looks ahead anew, soon
}

void settle() {
  for (uint8_t tries = SETTLES;; tries--) {
    keep_up();
    volley::hold();
    if (!volley::any_fired() || !tries) break;  // or what is due would wait for those books
    volley::let_go();
  }
  while (volley::any_fired()) service();
}

bool service() {
  uint8_t left = AT_ONCE + MORE;
  bool goes_on = true;
  do {
    while (goes_on && do_next()) goes_on = --left > (volley::any_fired() ? 0 : MORE);
    if (goes_on) hal::caught_up();
    while (goes_on && aims::find_out() && !anything_came()) {
    }
    look_out();
  } while (goes_on && (hal::has_capture() || volley::any_fired()));
  agenda::changed = false;
  return goes_on;
}

void sweep(uint32_t now) {
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) {
    hal::SchedulerLock lock;
    inputs::sweep(channel, now);
  }
  hal::SchedulerLock lock;
  reflexes::sweep(now);
}

}  // namespace chip

void inputs::on_edge(uint8_t channel, bool level, uint32_t stamp) {
  aims::forget(channel);
  uint8_t place = channel | (level ? wire::LEVEL : 0);
  uint8_t fired = reflexes::are_suspended || outputs::is_barred() ? 0 : reflexes::fire(place, stamp);
  inputs::number(channel, level, events::edge(place, fired, stamp));
}
