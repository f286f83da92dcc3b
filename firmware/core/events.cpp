// SPDX-License-Identifier: BSD-3-Clause

#include "events.h"

#include <string.h>

#include "frame.h"
#include "hal.h"
#include "limits.h"
#include "ticks.h"

namespace events {

Counters counters;

namespace {

constexpr uint16_t LONGEST_PAUSE_MS = 500;
constexpr uint8_t REPEAT_AT_ONCE = 16;

// Two more than the host is told, for what is never lost: an OVERFLOW and a LEASE or a PANIC.
constexpr uint16_t SLOTS = limits::EVENTS + 1;

// An event as it is kept: seven bytes.
struct __attribute__((packed)) Event {
  uint8_t kind : 4;  // its code, counted from FIRST_EVENT
  uint8_t reason : 4;
  uint8_t a, b;
  uint32_t stamp;
};

constexpr uint8_t kind_of(uint8_t code) { return code - wire::FIRST_EVENT; }
static_assert(kind_of(wire::CODE_LEASE), "a LEASE is told from no event by its kind");

Event kept[SLOTS];
limits::Count oldest;  // its slot
limits::Count used;    // how many are kept
limits::Count sent;    // how many of them have been sent at least once
uint8_t repeated;      // how many of them have been sent again in this round
uint8_t to_repeat;
uint16_t last;  // the number of the latest
uint16_t lost;
bool is_open;
Event owed;                           // a LEASE for which even the last slots were taken, or of no kind
uint8_t panic_epoch, panic_executed;  // of a PANIC for which they were taken, behind it; or 0

uint16_t first_pause_ms, pause_ms;
uint32_t oldest_sent_at;

Event make(uint8_t code, uint8_t a, uint8_t b, uint32_t stamp) {
  Event event;
  event.kind = kind_of(code);
  event.reason = 0;
  event.a = a;
  event.b = b;
  event.stamp = stamp;
  return event;
}

void keep(const Event& event) {
  uint16_t slot = oldest + used;
  if (slot >= SLOTS) slot -= SLOTS;
  kept[slot] = event;
  last++;
  if (used++ == 0) oldest_sent_at = hal::now();
}

void report_lost() {
  if (!lost) return;
  keep(make(wire::CODE_OVERFLOW, lost & 0xFF, lost >> 8, hal::now()));
  lost = 0;
}

bool owes() { return owed.kind || panic_epoch; }

uint16_t emit(const Event& event) {
  if (!is_open) return last;
  if (used >= limits::EVENTS - 1 || owes()) {
    if (lost != 0xFFFF) lost++;
    if (counters.lost != 0xFFFF) counters.lost++;
    return last + 1;
  }
  report_lost();
  keep(event);
  return last;
}

void emit_owed() {
  while (owes() && used + 2U <= SLOTS) {
    report_lost();
    if (owed.kind) {
      keep(owed);
      owed.kind = 0;
    } else {
      keep(make(wire::CODE_PANIC, panic_epoch, panic_executed, hal::panicked_at()));
      panic_epoch = 0;
    }
  }
}

// The event in a place, as it travels; returns its length.
uint8_t write(uint16_t place, uint8_t* out) {
  hal::SchedulerLock lock;
  uint16_t number = last - used + place + 1, slot = oldest + place;
  if (slot >= SLOTS) slot -= SLOTS;
  const Event& event = kept[slot];
  uint8_t* start = out;
  uint8_t code = event.kind + wire::FIRST_EVENT;
  *out++ = code;
  *out++ = number & 0xFF;
  *out++ = number >> 8;
  bool stamp_first = code == wire::CODE_TIME;
  if (!stamp_first) *out++ = event.a;
  if (!stamp_first && code != wire::CODE_STARTED) *out++ = event.b;
  if (code == wire::CODE_REFUSED) *out++ = event.reason;
  memcpy(out, &event.stamp, sizeof(event.stamp));
  out += sizeof(event.stamp);
  if (stamp_first) *out++ = event.a;
  return out - start;
}

void send_one(uint16_t place) {
  uint8_t payload[sizeof(wire::Refused)];
  uint8_t length = write(place, payload);
  frame::send(payload, length);
}

bool room_beside(uint8_t reserve) {
  return hal::send_capacity() >= frame::framed_size(sizeof(wire::Refused)) + reserve;
}

template <typename T>
void lessen(T& count, uint16_t by) {
  count -= by < count ? by : count;
}

}  // namespace

void open(uint16_t resend_ms) {
  oldest = used = sent = repeated = to_repeat = last = lost = 0;
  counters = Counters();
  owed.kind = panic_epoch = 0;
  first_pause_ms = pause_ms = resend_ms ? resend_ms : 1;
  is_open = true;
}

void close() { is_open = false; }

uint16_t count() { return last; }

uint32_t overdue_at() { return oldest_sent_at + ticks::of_ms(pause_ms); }

uint16_t edge(uint8_t place, uint8_t fired, uint32_t stamp) { return emit(make(wire::CODE_EDGE, place, fired, stamp)); }

void time(uint32_t stamp, uint8_t executed) { emit(make(wire::CODE_TIME, executed, 0, stamp)); }

void started(uint8_t sequence, uint32_t stamp) { emit(make(wire::CODE_STARTED, sequence, 0, stamp)); }

void done(uint8_t channel, uint8_t why, uint32_t stamp) { emit(make(wire::CODE_DONE, channel, why, stamp)); }

void refused(uint8_t batch, uint8_t order, uint8_t reason, uint32_t stamp) {
  Event event = make(wire::CODE_REFUSED, batch, order, stamp);
  event.reason = reason;
  emit(event);
}

void lease(uint8_t epoch, uint8_t executed, uint32_t stamp) {
  if (owed.kind) {  // the host never heard of the epoch in between: nothing was executed in it
    owed.a = epoch;
    return;
  }
  owed = make(wire::CODE_LEASE, epoch, executed, stamp);
  emit_owed();
}

// There is one in a session, and no LEASE behind it.
void panic(uint8_t epoch, uint8_t executed) {
  panic_epoch = epoch;
  panic_executed = executed;
  emit_owed();
}

void heard(uint16_t number, uint32_t now) {
  hal::SchedulerLock lock;
  uint16_t known = number - static_cast<uint16_t>(last - used);  // how many of those that are kept
  if (known == 0 || known > used) return;
  oldest += known;
  if (oldest >= SLOTS) oldest -= SLOTS;
  used -= known;
  lessen(sent, known);
  lessen(repeated, known);
  lessen(to_repeat, known);
  pause_ms = first_pause_ms;
  oldest_sent_at = now;
  emit_owed();
}

void repeat(uint32_t now) {
  hal::SchedulerLock lock;
  if (!sent || repeated < to_repeat || ticks::before(now, overdue_at())) return;
  repeated = 0;
  to_repeat = sent < REPEAT_AT_ONCE ? sent : REPEAT_AT_ONCE;
  oldest_sent_at = now;
  pause_ms = pause_ms > LONGEST_PAUSE_MS / 2 ? LONGEST_PAUSE_MS : pause_ms * 2;
}

bool send(uint8_t reserve) {
  bool is_new = !are_repeated();
  if (!has_to_send() || !room_beside(reserve)) return false;
  if (is_new) {
    send_one(sent++);
  } else {
    send_one(repeated++);
    if (counters.resent != 0xFFFF) counters.resent++;
  }
  return is_new;
}

uint8_t unsent() {
  limits::Count count = used - sent;
  return count < MANY ? count : MANY;
}

bool are_repeated() { return repeated < to_repeat; }

bool has_to_send() { return sent != used || are_repeated(); }

bool any() { return used; }

}  // namespace events
