// SPDX-License-Identifier: BSD-3-Clause

#include "board.h"

#include "events.h"
#include "frame.h"
#include "hal.h"
#include "hello.h"
#include "inputs.h"
#include "lease.h"
#include "limits.h"
#include "openings.h"
#include "orders.h"
#include "outputs.h"
#include "scheduler.h"
#include "ticks.h"
#include "timer_queue.h"

namespace board {

namespace {

constexpr uint8_t UNREADABLE = 0xFF;  // how a batch is refused that passes its CRC and still is no batch: whole
constexpr uint8_t OPENING = 0;        // its stamp has the place of a batch by which nothing asks for it any more
static_assert(sizeof(wire::Opening) <= sizeof(wire::Health), "it is the longest");
constexpr uint8_t REPLY_ROOM = frame::framed_size(sizeof(wire::Health));  // kept free of events, for any other answer
constexpr uint8_t LOOP_UNIT = 16;                                         // ticks
constexpr uint8_t FRAMES = 4;  // read for each event that is sent: short frames arrive faster than an event goes out

frame::Deframer deframer;
uint8_t epoch;                        // 0: the board is not open
uint8_t executed;                     // the number of the last batch of the epoch
uint32_t acks[wire::WINDOW_BATCHES];  // the stamps of the last batches, and before the first, of the opening
uint8_t answered;                     // how many of them there are
uint16_t nonce;
wire::AllOffDone safe;  // the answer to the last ALL_OFF; without a code when there has been none since the opening
bool panic_is_told;
uint16_t longest_loop;      // in such parts: half a second at most
uint8_t waiting;            // the length of a frame that waits for room for its answer
uint8_t pending_ack;        // the number of a batch whose ACK follows the events of what was refused of it
uint8_t events_before_ack;  // how many events go out before that ACK; NO_ACK when none is pending
constexpr uint8_t NO_ACK = events::MANY + 1;
bool is_lease_ending, is_repeat_near;  // in this lap or the next: the loop sleeps no longer than one
uint8_t last_slice;                    // of which there are 32 in a lap
uint8_t last_maintenance;  // when that was done: of the time the low bits of its top byte, of the count of events the
                           // top bits

template <typename T>
void send(const T& message) {
  frame::send(&message, sizeof(message));
}

// A message where it lies: its bytes need no alignment.
template <typename T>
const T& as(const uint8_t* payload) {
  return *reinterpret_cast<const T*>(payload);
}

// --- epochs and the lease ---

void new_epoch() {
  uint8_t& last = hal::last_epoch();
  epoch = last = last % 255 + 1;
  executed = answered = 0;
  events_before_ack = NO_ACK;
}

void begin_session(const wire::Open& message, uint32_t now) {
  events::close();
  scheduler::forget();
  events::open(message.resend_ms);
  new_epoch();
  nonce = message.nonce;
  safe.code = 0;
  panic_is_told = false;
  deframer.damaged = 0;
  longest_loop = 0;
  acks[OPENING] = now;
  lease::begin(message.lease_ms);
  lease::renew(now);
}

void on_open(const wire::Open& message, uint32_t now) {
  if (!epoch || message.nonce != nonce) begin_session(message, now);
  send(wire::Opened{wire::CODE_OPENED, nonce, epoch, acks[OPENING]});
}

void check_lease(uint32_t now) {
  if (!lease::expired(now)) return;
  uint8_t last = executed;
  scheduler::make_safe();
  new_epoch();
  hal::SchedulerLock lock;
  events::lease(epoch, last, hal::now());
}

bool has_to_panic() { return hal::has_panicked() && !panic_is_told && epoch; }

// All outputs are off already; forget what they did. After an all-off there is nothing to report.
void on_panic() {
  panic_is_told = true;
  lease::end();
  scheduler::make_safe();
  if (safe.code) return;
  uint8_t last = executed;
  new_epoch();
  hal::SchedulerLock lock;
  events::panic(epoch, last);
}

void on_all_off(uint8_t nonce) {
  if (!safe.code || safe.nonce != nonce) {
    lease::end();
    scheduler::make_safe();
    uint8_t last = executed;
    new_epoch();
    hal::SchedulerLock lock;
    safe = wire::AllOffDone{wire::CODE_ALL_OFF_DONE, nonce, epoch, events::count(), last, hal::now()};
  }
  send(safe);
}

// --- orders ---

void send_ack(uint8_t number) { send(wire::Ack{wire::CODE_ACK, epoch, number, acks[number % wire::WINDOW_BATCHES]}); }

// Tell whether something of it was refused.
bool execute_next(const wire::Batch& batch, uint8_t* orders, uint8_t length) {
  executed++;
  uint32_t stamp = hal::now();
  bool refuses = true;
  if (uint8_t ranks = orders::read(orders, length, batch.count)) {
    stamp = orders::execute(batch, orders, ranks);
    refuses = !hal::has_panicked() && orders::report(orders, batch.count, batch.number, stamp);
  } else {
    orders::refuse(batch.number, UNREADABLE, wire::REASON_UNKNOWN, stamp);
  }
  acks[executed % wire::WINDOW_BATCHES] = stamp;
  if (answered < wire::WINDOW_BATCHES) answered++;
  return refuses;
}

void on_batch(const wire::Batch& batch, uint8_t* orders, uint8_t length, uint32_t now) {
  if (batch.epoch != epoch || safe.code || hal::has_panicked()) return;
  events::heard(batch.heard, now);
  bool refuses = false;
  if (static_cast<uint8_t>(batch.number - executed) == 1) {
    hal::SchedulerLock lock;  // here and not deeper, where there is less stack left for what comes when it is let go
    refuses = execute_next(batch, orders, length);
  }
  bool remembers = static_cast<uint8_t>(executed - batch.number) < answered && !hal::has_panicked();
  events_before_ack = !remembers ? NO_ACK : refuses ? events::unsent() : 0;
  pending_ack = batch.number;
}

// --- questions ---

void answer(uint8_t keepalive_id) { send(wire::KeepaliveAck{wire::CODE_KEEPALIVE_ACK, keepalive_id, hal::now()}); }

void on_time_ask(uint32_t now) {
  uint32_t horizon = inputs::horizon(now);
  hal::SchedulerLock lock;
  events::time(horizon, executed);
}

void on_health_ask() {
  uint32_t longest_us = static_cast<uint32_t>(longest_loop) * (LOOP_UNIT / ticks::PER_US);
  send(wire::Health{wire::CODE_HEALTH, deframer.damaged, events::counters.resent, orders::refused,
                    events::counters.lost, lease::expiries, outputs::limits_hit, longest_us});
}

void on_opening_ask(uint8_t place) {
  hal::SchedulerLock lock;
  send(openings::at(place, hal::now()));
}

// --- frames ---

bool right_size(const uint8_t* payload, uint8_t length) {
  uint8_t size = payload[0] < wire::CODE_HELLO ? wire::message_size(payload[0]) : 0;
  return size && (length == size || (payload[0] == wire::CODE_BATCH && length > size));
}
bool needs_open(uint8_t code) {
  return code == wire::CODE_BATCH || code == wire::CODE_EVENT_ACK || code == wire::CODE_GET_TIME;
}

void handle(uint8_t* payload, uint8_t length) {
  if (!right_size(payload, length)) {
    deframer.count_damage();
    return;
  }
  uint32_t now = hal::now();
  if (epoch && !safe.code && !hal::has_panicked()) lease::renew(now);
  if (!epoch && needs_open(payload[0])) {
    hello::send(0);
    return;
  }
  switch (payload[0]) {
    case wire::CODE_GET_HELLO: hello::send(1); break;
    case wire::CODE_OPEN: on_open(as<wire::Open>(payload), now); break;
    case wire::CODE_BATCH:
      on_batch(as<wire::Batch>(payload), payload + sizeof(wire::Batch), length - sizeof(wire::Batch), now);
      break;
    case wire::CODE_EVENT_ACK:
      events::heard(as<wire::EventAck>(payload).heard, now);
      if (uint8_t keepalive_id = as<wire::EventAck>(payload).keepalive_id) answer(keepalive_id);
      break;
    case wire::CODE_GET_TIME:
      events::heard(as<wire::GetTime>(payload).heard, now);
      on_time_ask(now);
      break;
    case wire::CODE_ALL_OFF: on_all_off(as<wire::AllOff>(payload).nonce); break;
    case wire::CODE_GET_HEALTH: on_health_ask(); break;
    case wire::CODE_GET_OPENING: on_opening_ask(as<wire::GetOpening>(payload).place); break;
  }
}

// Take bytes up to the end of a frame, and handle it when there is room for its answer; false when there is none.
bool receive() {
  if (!waiting) waiting = deframer.read();
  if (!waiting) return false;
  uint8_t* payload = deframer.payload();
  bool is_hello = payload[0] == wire::CODE_GET_HELLO || !epoch;
  if (hal::send_capacity() < (is_hello ? hello::ROOM : REPLY_ROOM)) return true;
  if (events_before_ack != NO_ACK && payload[0] == wire::CODE_BATCH) return true;
  handle(payload, waiting);
  waiting = 0;
  return true;
}

// Report, one event at a time, for bytes arrive meanwhile; answer a batch behind what was refused of it, unless events
// have to be sent again first: they keep no answer waiting. An answer that waits for none comes before all events: an
// ALL_OFF may stand behind the next batch.
void report() {
  bool sends = events_before_ack && epoch && (!waiting || events_before_ack != NO_ACK) && events::send(REPLY_ROOM);
  if (events_before_ack == NO_ACK) return;
  if (sends) events_before_ack--;
  if ((events_before_ack && !events::are_repeated()) || hal::send_capacity() < frame::framed_size(sizeof(wire::Ack)))
    return;
  send_ack(pending_ack);
  events_before_ack = NO_ACK;
}

bool is_done() { return events_before_ack == NO_ACK && !events::has_to_send(); }

bool is_soon(uint32_t due, uint32_t now) { return static_cast<uint16_t>((due >> 16) - (now >> 16)) < 2; }

// What is done at every beat.
void check_times(uint32_t now) {
  check_lease(now);
  uint8_t last = last_maintenance;
  last_maintenance = (now >> 24 & 0x0F) | (events::count() >> 8 & 0xF0);
  if (last_maintenance != last) scheduler::maintain(now);
  events::repeat(now);
  is_lease_ending = lease::runs() && is_soon(lease::due(), now);
  is_repeat_near = events::any() && is_soon(events::overdue_at(), now);
}

}  // namespace

void begin() {
  epoch = 0;
  events_before_ack = NO_ACK;
  events::close();
  timer_queue::clear();
  openings::cut();
  scheduler::forget();
  hello::send(0);
}

bool poll() {
  if (has_to_panic()) on_panic();
  bool owed_answer = events_before_ack != NO_ACK, busy = false;
  for (uint8_t left = FRAMES; left-- && receive();) {
    busy = true;
    if (waiting) break;
    if (!owed_answer && events_before_ack != NO_ACK)
      return false;  // a batch: that took long, and bytes have arrived meanwhile
  }
  uint32_t start = hal::now();
  uint8_t slice = start >> 11;
  if (slice != last_slice || is_lease_ending) {
    last_slice = slice;
    if (epoch) check_times(start);
  } else {
    if (!busy && is_done()) return true;  // as between most of the bytes of a frame
    is_repeat_near = true;                // perhaps; the next beat says so
  }
  report();
  uint16_t took = (hal::now() - start) / LOOP_UNIT;
  if (took > longest_loop) longest_loop = took;
  return !busy && is_done();
}

bool is_idle() { return !is_lease_ending && !is_repeat_near && is_done() && !has_to_panic(); }

}  // namespace board
