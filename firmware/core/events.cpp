// SPDX-License-Identifier: BSD-3-Clause

#include "events.h"

#include <string.h>

#include "frame.h"
#include "hal.h"
#include "orders.h"
#include "ticks.h"

namespace events {

Counters counters;

namespace {

constexpr uint16_t LONGEST_PAUSE_MS = 500;  // the wait for an acknowledgement doubles up to this value
// The most events of one retransmission. New events wait behind them: 16 events take at most 4.5 ms on the line.
constexpr uint8_t REPEAT_AT_ONCE = 16;

// emit() needs three free slots: one for its event, and two for an OVERFLOW and a LEASE or a PANIC behind it.
constexpr uint16_t SLOTS = limits::EVENTS + 1;

// An event in the ring. It takes 7 bytes, because RAM limits the number of events.
struct Event {
  uint8_t head;
  uint8_t a, b;  // the other fields, in the order on the wire; or a Cause
  uint32_t stamp;
};

// A head has the code of an event in its upper four bits, less that of the first event; and in the others `extra`: the
// reason of a REFUSED, the `effects` of an OVERFLOW, the cause of a STARTED, the channel of an ON. ON has the last
// code, so its channel may exceed four bits.
constexpr uint8_t head_of(uint8_t code, uint8_t extra = 0) { return ((code - wire::FIRST_EVENT) << 4) + extra; }
constexpr uint8_t ON_HEAD = head_of(wire::CODE_ON);
static_assert(wire::CODE_ON == wire::LAST_EVENT && ON_HEAD + limits::CHANNELS <= 0x100, "a head has 8 bits");

uint8_t code_of(uint8_t head) { return head >= ON_HEAD ? wire::CODE_ON : (head >> 4) + wire::FIRST_EVENT; }

// The ring. From `oldest` on it holds `used` events; the host has been sent the first `sent` of them.
Event kept[SLOTS];
limits::EventCount oldest;  // the slot of the oldest event
limits::EventCount used;
limits::EventCount sent;
uint8_t repeated;   // how many events the current retransmission has sent
uint8_t to_repeat;  // how many it has to send
uint16_t last;      // the number of the newest event
bool has_ended;     // end() has run since open(): what is lost is reported as soon as there is a free slot

// What was lost since the last OVERFLOW. An effect is an EDGE that fired, a STARTED, a REFUSED or an ON: the host needs
// it to know which rewards were given. `lost_executed` is the last batch that had begun when the last effect was lost.
// It is of the epoch in which the host reads the OVERFLOW: after make_safe() there is no effect until the host has read
// the new one.
uint8_t lost, lost_effects, lost_executed;

// A LEASE that has no free slot yet, and a PANIC behind it; the epoch is 0 if there is none. One place is enough for
// each: a session has at most one PANIC, and the lease does not run after it.
uint8_t lease_epoch, lease_executed, panic_epoch, panic_executed;
uint32_t lease_stamp;

uint16_t first_pause_ms, pause_ms;  // the first and the current wait for an acknowledgement; `first` is 0 after close()
uint32_t oldest_sent_at;            // when the current wait began, in ticks

void count(uint16_t& counter) {
  if (counter != 0xFFFF) counter++;
}

// Return the slot of an event, counted from the oldest one.
Event& slot_of(uint16_t index) {
  uint16_t slot = oldest + index;
  return kept[slot < SLOTS ? slot : slot - SLOTS];
}

// Append an event. The caller has checked that there is a free slot.
void keep(uint8_t head, uint8_t a, uint8_t b, uint32_t stamp) {
  Event& event = slot_of(used);
  event.head = head;
  event.a = a;
  event.b = b;
  event.stamp = stamp;
  last++;
  if (used++ == 0) oldest_sent_at = hal::now();
}

void report_lost() {
  if (!lost) return;
  keep(head_of(wire::CODE_OVERFLOW, lost_effects), lost, lost_executed, hal::now());
  lost = lost_effects = lost_executed = 0;
}

// After end() nothing is counted: one more OVERFLOW would take the number that end() has promised to a LEASE or a
// PANIC, and the host would end the session before it has read what was executed.
void lose(uint8_t head, uint8_t b) {
  if (has_ended) return;
  if (lost != 0xFF) lost++;
  count(counters.lost);
  uint8_t code = code_of(head);
  bool is_effect = code == wire::CODE_STARTED || code == wire::CODE_REFUSED || code == wire::CODE_ON ||
                   (code == wire::CODE_EDGE && b);
  if (!is_effect) return;
  if (lost_effects != wire::MAX_EFFECTS) lost_effects++;
  lost_executed = orders::begun();
}

// Inlined, because it runs for every edge; that is smaller too.
inline __attribute__((always_inline)) bool is_full() {
  return used >= limits::EVENTS - 1 || lease_epoch || panic_epoch;
}

// Append an ordinary event, or count it as lost. Return its number.
uint16_t emit(uint8_t head, uint8_t a, uint8_t b, uint32_t stamp) {
  if (!first_pause_ms) return last;
  if (is_full()) {
    lose(head, b);
    return last + 1;
  }
  report_lost();
  keep(head, a, b, stamp);
  return last;
}

// Append a LEASE and a PANIC for which there is room now, with an OVERFLOW; after end() also an OVERFLOW alone.
void emit_owed() {
  while ((lease_epoch || panic_epoch) && used + 2U <= SLOTS) {
    report_lost();
    if (lease_epoch) {
      keep(head_of(wire::CODE_LEASE), lease_epoch, lease_executed, lease_stamp);
      lease_epoch = 0;
    } else {
      keep(head_of(wire::CODE_PANIC), panic_epoch, panic_executed, hal::panicked_at());
      panic_epoch = 0;
    }
  }
  if (has_ended && used < SLOTS) report_lost();
}

uint8_t* write(Cause cause, uint8_t* out) {
  *out++ = cause.kind();
  *out++ = cause.by;
  *out++ = cause.part();
  return out;
}

// Encode the event at `index`, counted from the oldest one. Return the length of the payload.
uint8_t write(uint16_t index, uint8_t* out) {
  hal::SchedulerLock lock;
  uint16_t number = last - used + index + 1;
  const Event& event = slot_of(index);
  uint8_t* start = out;
  uint8_t code = code_of(event.head), extra = event.head - head_of(code);
  *out++ = code;
  *out++ = number & 0xFF;
  *out++ = number >> 8;
  bool stamp_first = code == wire::CODE_TIME;  // TIME has its stamp before its other field
  if (code == wire::CODE_ON) *out++ = extra;
  if (code == wire::CODE_ON || code == wire::CODE_REFUSED) {
    out = write(Cause{event.a, event.b}, out);
  } else if (!stamp_first) {
    *out++ = event.a;
    if (code == wire::CODE_STARTED) *out++ = extra;
    *out++ = event.b;
  }
  if (code == wire::CODE_REFUSED || code == wire::CODE_OVERFLOW) *out++ = extra;
  memcpy(out, &event.stamp, sizeof(event.stamp));
  out += sizeof(event.stamp);
  if (stamp_first) *out++ = event.a;
  return out - start;
}

void send_one(uint16_t index) {
  uint8_t payload[sizeof(wire::Refused)];
  uint8_t length = write(index, payload);
  frame::send(payload, length);
}

// Subtract `by`, but not below 0.
template <typename T>
void reduce(T& count, uint16_t by) {
  count -= by < count ? by : count;
}

}  // namespace

void open(uint16_t resend_ms) {
  oldest = used = sent = repeated = to_repeat = last = 0;
  lost = lost_effects = lost_executed = has_ended = 0;
  counters = Counters();
  lease_epoch = panic_epoch = 0;
  first_pause_ms = pause_ms = resend_ms ? resend_ms : 1;
}

void close() { first_pause_ms = 0; }

uint16_t last_number() { return last; }

uint16_t end() {
  has_ended = true;
  emit_owed();
  return last + !!lost + !!lease_epoch + !!panic_epoch;
}

uint16_t edge(uint8_t edge_code, uint8_t fired, uint32_t stamp) {
  return emit(head_of(wire::CODE_EDGE), edge_code, fired, stamp);
}

void time(uint32_t stamp, uint8_t executed) { emit(head_of(wire::CODE_TIME), executed, 0, stamp); }

void started(uint8_t sequence, Cause cause, uint32_t stamp) {
  emit(head_of(wire::CODE_STARTED, cause.kind()), sequence, cause.by, stamp);
}

void done(uint8_t channel, uint8_t why, uint32_t stamp) { emit(head_of(wire::CODE_DONE), channel, why, stamp); }

void refused(Cause cause, uint8_t reason, uint32_t stamp) {
  count(counters.refused);
  emit(head_of(wire::CODE_REFUSED, reason), cause.by, cause.key, stamp);
}

void on(uint8_t channel, Cause cause, uint32_t stamp) {
  emit(head_of(wire::CODE_ON, channel), cause.by, cause.key, stamp);
}

bool flood(uint8_t channel, uint8_t per_ms, uint32_t stamp) {
  if (is_full()) return false;
  emit(head_of(wire::CODE_FLOOD), channel, per_ms, stamp);
  return true;
}

// The host is not sent the epoch between two that wait, so the board executes nothing in it: the first one is right.
void lease(uint8_t epoch, uint8_t executed, uint32_t stamp) {
  if (!lease_epoch) {
    lease_executed = executed;
    lease_stamp = stamp;
  }
  lease_epoch = epoch;
  emit_owed();
}

void panic(uint8_t epoch, uint8_t executed) {
  panic_epoch = epoch;
  panic_executed = executed;
  emit_owed();
}

void acknowledge(uint16_t number, uint32_t now) {
  hal::SchedulerLock lock;
  uint16_t acknowledged = number - static_cast<uint16_t>(last - used);  // how many events of the ring
  if (acknowledged == 0 || acknowledged > used) return;
  oldest += acknowledged;
  if (oldest >= SLOTS) oldest -= SLOTS;
  used -= acknowledged;
  reduce(sent, acknowledged);
  reduce(repeated, acknowledged);
  reduce(to_repeat, acknowledged);
  pause_ms = first_pause_ms;
  oldest_sent_at = now;
  emit_owed();
}

void start_retransmission(uint32_t now) {
  hal::SchedulerLock lock;
  if (!sent || repeated < to_repeat || ticks::before(now, retransmit_at())) return;
  repeated = 0;
  to_repeat = sent < REPEAT_AT_ONCE ? sent : REPEAT_AT_ONCE;
  oldest_sent_at = now;
  pause_ms = pause_ms > LONGEST_PAUSE_MS / 2 ? LONGEST_PAUSE_MS : pause_ms * 2;
}

bool send_next(uint8_t reserve) {
  bool is_new = !is_retransmitting();
  uint8_t room = frame::framed_size(sizeof(wire::Refused)) + reserve;
  if (!has_to_send() || hal::send_capacity() < room) return false;
  if (is_new) {
    send_one(sent++);
  } else {
    send_one(repeated++);
    count(counters.resent);
  }
  return is_new;
}

uint8_t unsent_count() {
  limits::EventCount count = used - sent;
  return count < MAX_UNSENT ? count : MAX_UNSENT;
}

bool is_retransmitting() { return repeated < to_repeat; }

bool has_to_send() { return sent != used || is_retransmitting(); }

bool any_unacknowledged() { return used; }

uint32_t retransmit_at() { return oldest_sent_at + ticks::of_ms(pause_ms); }

}  // namespace events
