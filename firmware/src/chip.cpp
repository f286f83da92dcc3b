// SPDX-License-Identifier: BSD-3-Clause

#include "lean.h"

#include "chip.h"

#include <string.h>

#include "agenda.h"
#include "aims.h"
#include "events.h"
#include "hal.h"
#include "inputs.h"
#include "orders.h"
#include "outputs.h"
#include "reflexes.h"
#include "sequences.h"
#include "ticks.h"
#include "volley.h"

Channel channels[limits::CHANNELS];

namespace chip {

namespace {

constexpr uint8_t AT_ONCE = 4;  // so many things are done before the loop gets a chance

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

void keep_books(uint8_t who) {
  uint32_t at = agenda::due(who);
  if (agenda::take(who)) do_due(who, at);
  outputs::finish();
}

// It has been fired: keep its books. If it has none, every pin is put as the books of the others have it.
void book(uint8_t who, uint32_t when, bool any_pin) {
  if (agenda::has(who)) {
    if (any_pin) outputs::fired(when);
    keep_books(who);
  } else {
    outputs::restore();
  }
  volley::close(who);
  if (!inputs::is_input(who)) aims::look_at(who);  // what it does next
}

OUT_OF_LINE void take(const hal::Capture& capture) {
  inputs::take(capture);
  hal::drop_capture();
}

void book_first() {
  uint32_t when = 0;
  bool any_pin = false;
  uint8_t who = volley::first_fired();
  if (!agenda::has(who) && hal::has_capture()) {  // the change that it was fired for comes first
    hal::Capture capture;
    hal::get_capture(capture);
    take(capture);
    return;
  }
  volley::is_fired(who, when, any_pin);
  book(who, when, any_pin);
}

// It is due and has not been fired: do it now, unless it has to wait for the books of something else.
void do_now(uint8_t who) {
  if (aims::concerns_nobody(who)) {
    keep_books(who);
    return;
  }
  volley::Aim aim = aims::of(who);
  volley::drop(who);
  if (volley::fire_now(who, aim)) {
    book(who, hal::now(), aim.mask);
  } else if (volley::any_fired()) {
    book_first();
  } else {
    volley::hold();
    volley::fire(aim);
    if (aim.mask) outputs::fired(hal::now());
    keep_books(who);
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
    case wire::ORDER_START: return sequences::start(deed.body.at.sequence, hal::now() + hal::HEAD_START);
    case wire::ORDER_START_AT: return start_at(deed.body.at.sequence, deed.body.at.stamp);
    case wire::ORDER_STOP:
      sequences::stop(deed.body.at.sequence);
      return 0;
    default: return outputs::perform(deed);
  }
}

void make_safe() {
  hal::Lock lock;
  settle();
  safe();
  volley::let_go();
}

void forget() {
  hal::Lock lock;
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

IN_A_HURRY bool is_due(uint8_t who) { return !ticks::before(hal::now(), agenda::due(who)); }

// Do one thing of what has come, in the order of time; false when nothing has.
bool do_next() {
  hal::hear();
  uint8_t who = find_first();
  if (hal::has_capture()) {
    hal::Capture capture;
    hal::get_capture(capture);
    if (who == agenda::NOBODY || !ticks::before(agenda::due(who), capture.stamp)) {
      take(capture);
      return true;
    }
  }
  uint32_t when;
  bool any_pin, any = who != agenda::NOBODY;
  if (any && volley::any_fired() && volley::is_fired(who, when, any_pin)) {
    book(who, when, any_pin);
  } else if (any && is_due(who)) {
    do_now(who);
  } else if (volley::any_fired()) {
    book_first();
  } else {
    return false;
  }
  return true;
}

bool anything_came() {
  uint8_t first = agenda::first();
  return hal::has_capture() || volley::any_fired() || (first != agenda::NOBODY && is_due(first));
}

}  // namespace

void keep_up() {
  if (anything_came()) service();
  agenda::changed = true;  // service looks ahead anew, soon
}

void settle() {
  keep_up();
  volley::hold();
  while (volley::any_fired()) service();
}

bool service() {
  uint8_t left = AT_ONCE;
  do {
    while (do_next()) {
      if (--left == 0) return false;
    }
    while (aims::find_out() && !anything_came()) {
    }
    uint32_t wake = aims::look_ahead(agenda::first());
    volley::catch_up();
    hal::wake_at(wake);  // also for what is due already
  } while (hal::has_capture() || volley::any_fired());
  agenda::changed = false;
  return true;
}

void sweep(uint32_t now) {
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) {
    hal::Lock lock;
    inputs::sweep(channel, now);
  }
  hal::Lock lock;
  reflexes::sweep(now);
}

}  // namespace chip

void inputs::on_edge(uint8_t channel, bool level, uint32_t stamp) {
  aims::forget(channel);
  uint8_t place = channel | (level ? wire::LEVEL : 0);
  uint8_t fired = reflexes::fire(place, stamp);
  inputs::number(channel, level, events::edge(place, fired, stamp));
}
