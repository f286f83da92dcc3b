// SPDX-License-Identifier: BSD-3-Clause
//
// Frames in, answers and events out: epochs, the lease, the panic, requests.

#include "board.h"

#include "events.h"
#include "frame.h"
#include "hal.h"
#include "hello.h"
#include "inputs.h"
#include "kept_openings.h"
#include "orders.h"
#include "outputs.h"
#include "scheduler.h"
#include "sources.h"
#include "ticks.h"
#include "timer_queue.h"

namespace board {

namespace {

// poll() handles at most this many frames before it sends an event. With one frame per event, short frames would
// arrive faster than the board sends events.
constexpr uint8_t FRAMES = 4;

constexpr uint8_t LOOP_UNIT = 16;  // ticks (8 us): the unit of `longest_loop`

frame::Deframer deframer;

uint8_t epoch;   // 1 to 255; 0 if the board is not open
uint16_t nonce;  // of the last OPEN
uint32_t opened_at;

wire::AllOffDone safe;  // the answer to the last ALL_OFF; its code is 0 if there was none since OPEN
bool panic_handled;     // on_panic() has run since OPEN
uint16_t longest_loop;  // the longest time of poll() since OPEN, in units of LOOP_UNIT

// The lease expires if the host sends no valid frame for its length.
uint16_t lease_ms;
uint32_t lease_end;
bool lease_runs;
uint8_t expiries;  // since OPEN; it stops at its largest value

uint8_t waiting;  // the payload length of a received frame that is not handled yet, or 0

uint8_t last_slice;  // when check_times() last ran, in slices of 2048 ticks (1 ms), modulo 256

// When maintenance last ran: bits 24 to 27 of the time in the lower half, bits 12 to 15 of the event count in the upper
// half. So it runs every 8.4 s and every 4096 events.
uint8_t last_maintenance;

template <typename T>
void send(const T& message) {
  frame::send(&message, sizeof(message));
}

// Return the receive buffer for a long answer: its request has been read. On the stack of the main loop the answer
// would take bytes from all that interrupts it.
template <typename T>
T& answer() {
  static_assert(sizeof(T) <= limits::FRAME_BYTES, "the answer fits the receive buffer");
  return *reinterpret_cast<T*>(deframer.payload());
}

// --- epochs and the lease ---

void new_epoch() {
  uint8_t& last = hal::last_epoch();
  epoch = last = last % 255 + 1;  // 255 is followed by 1: epoch 0 means that the board is not open
  orders::begin_epoch();
}

// Switch all outputs off and begin an epoch. Return the last batch that was executed in the old one.
uint8_t end_epoch() {
  lease_runs = false;
  scheduler::make_safe();
  uint8_t executed = orders::executed;
  new_epoch();
  return executed;
}

void renew_lease(uint32_t now) {
  lease_end = now + ticks::of_ms(lease_ms);
  lease_runs = true;
}

void check_lease(uint32_t now) {
  if (!lease_runs || ticks::before(now, lease_end)) return;
  if (expiries != 0xFF) expiries++;
  uint8_t executed = end_epoch();
  hal::SchedulerLock lock;
  events::lease(epoch, executed, hal::now());
}

void begin_session(const wire::Open& message, uint32_t now) {
  events::close();
  scheduler::forget();
  events::open(message.resend_ms);
  new_epoch();
  nonce = message.nonce;
  safe.code = 0;
  panic_handled = false;
  deframer.damaged = 0;
  longest_loop = 0;
  opened_at = now;
  lease_ms = message.lease_ms;
  expiries = 0;
  renew_lease(now);
}

bool has_to_panic() { return hal::has_panicked() && !panic_handled && epoch; }

// The interrupt has already put all pins on their safe levels; make the channel table agree. After ALL_OFF nothing was
// on and no order was possible, so there is nothing to do and no event to report.
void on_panic() {
  panic_handled = true;
  if (safe.code) return;
  uint8_t executed = end_epoch();
  hal::SchedulerLock lock;
  events::panic(epoch, executed);
}

// --- requests ---

void on_open(const wire::Open& message, uint32_t now) {
  if (!epoch || message.nonce != nonce) begin_session(message, now);
  send(wire::Opened{wire::CODE_OPENED, nonce, epoch, opened_at});
}

void on_all_off(uint8_t nonce) {
  if (!safe.code || safe.nonce != nonce) {
    uint8_t executed = end_epoch();
    sources::stop();
    hal::SchedulerLock lock;
    safe = wire::AllOffDone{wire::CODE_ALL_OFF_DONE, nonce, epoch, events::end(), executed, hal::now()};
  }
  if (!sources::has_to_send()) send(safe);
}

void on_batch(const wire::Batch& batch, const uint8_t* orders, uint8_t length, uint32_t now) {
  if (batch.epoch != epoch || safe.code || hal::has_panicked()) return;
  events::acknowledge(batch.heard, now);
  orders::receive(batch, orders, length);
}

void send_keepalive_ack(uint8_t keepalive_id) {
  send(wire::KeepaliveAck{wire::CODE_KEEPALIVE_ACK, keepalive_id, hal::now()});
}

void on_get_time(uint32_t now) {
  uint32_t horizon = inputs::horizon(now);
  hal::SchedulerLock lock;
  events::time(horizon, orders::executed);
}

void on_get_health() {
  hal::SchedulerLock lock;  // the scheduler counts too
  wire::Health& health = answer<wire::Health>();
  health.code = wire::CODE_HEALTH;
  health.damaged = deframer.damaged;
  health.resent = events::counters.resent;
  health.refused = events::counters.refused;
  health.lost = events::counters.lost;
  health.leases = expiries;
  health.limits = outputs::limits_hit;
  health.longest_loop_us = static_cast<uint32_t>(longest_loop) * (LOOP_UNIT / ticks::PER_US);
  send(health);
}

void on_get_opening(uint8_t place) {
  hal::SchedulerLock lock;
  wire::Opening& opening = answer<wire::Opening>();
  kept_openings::describe(place, hal::now(), opening);
  send(opening);
}

// --- frames ---

bool right_size(const uint8_t* payload, uint8_t length) {
  uint8_t size = payload[0] < wire::CODE_HELLO ? wire::message_size(payload[0]) : 0;
  return size && (length == size || (payload[0] == wire::CODE_BATCH && length > size));
}

bool needs_open(uint8_t code) {
  return code == wire::CODE_BATCH || code == wire::CODE_EVENT_ACK || code == wire::CODE_GET_TIME;
}

void handle(const uint8_t* payload, uint8_t length) {
  using frame::as;
  if (!right_size(payload, length)) {
    deframer.count_damage();
    return;
  }
  uint32_t now = hal::now();
  if (epoch && !safe.code && !hal::has_panicked()) renew_lease(now);
  if (!epoch && needs_open(payload[0])) {
    hello::send(false);
    return;
  }
  switch (payload[0]) {
    case wire::CODE_GET_HELLO: hello::send(true); break;
    case wire::CODE_OPEN: on_open(as<wire::Open>(payload), now); break;
    case wire::CODE_BATCH:
      on_batch(as<wire::Batch>(payload), payload + sizeof(wire::Batch), length - sizeof(wire::Batch), now);
      break;
    case wire::CODE_EVENT_ACK:
      events::acknowledge(as<wire::EventAck>(payload).heard, now);
      if (uint8_t keepalive_id = as<wire::EventAck>(payload).keepalive_id) send_keepalive_ack(keepalive_id);
      break;
    case wire::CODE_GET_TIME:
      events::acknowledge(as<wire::GetTime>(payload).heard, now);
      on_get_time(now);
      break;
    case wire::CODE_ALL_OFF: on_all_off(as<wire::AllOff>(payload).nonce); break;
    case wire::CODE_GET_HEALTH: on_get_health(); break;
    case wire::CODE_GET_OPENING: on_get_opening(as<wire::GetOpening>(payload).place); break;
  }
}

// Receive bytes up to the end of a frame, and handle the frame. A frame stays in `waiting` while the send ring has no
// room for its answer, and a batch also while another ACK is pending. Return false if no frame is complete.
bool receive() {
  if (!waiting) waiting = deframer.read();
  if (!waiting) return false;
  uint8_t* payload = deframer.payload();
  bool is_hello = payload[0] == wire::CODE_GET_HELLO || !epoch;
  if (hal::send_capacity() < (is_hello ? hello::FRAMED_SIZE : orders::REPLY_ROOM)) return true;
  if (orders::is_ack_pending() && payload[0] == wire::CODE_BATCH) return true;
  handle(payload, waiting);
  if (payload[0] != wire::CODE_ALL_OFF || !sources::has_to_send()) waiting = 0;  // its answer is behind the last values
  return true;
}

bool is_done() { return !orders::is_ack_pending() && !events::has_to_send() && !sources::has_to_send(); }

// Return whether `due` is before the second wrap of the 16-bit timer from now: a sleep may last until the first one.
bool is_soon(uint32_t due) { return static_cast<int16_t>((due >> 16) - (hal::now() >> 16)) < 2; }

// Check what must be done from time to time. poll() calls this once per slice of 1 ms.
void check_times(uint32_t now) {
  uint8_t last = last_maintenance;
  last_maintenance = (now >> 24 & 0x0F) | (events::last_number() >> 8 & 0xF0);
  if (last_maintenance != last) scheduler::maintain(now);
  events::start_retransmission(now);
}

// Receive, check the times, send; return whether nothing is left to do.
bool work(uint32_t start) {
  if (has_to_panic()) on_panic();
  bool owed_answer = orders::is_ack_pending(), busy = false;
  for (uint8_t left = FRAMES; left-- && receive();) {
    busy = true;
    if (waiting) break;
    if (!owed_answer && orders::is_ack_pending())
      return false;  // executing a batch takes long, so bytes have arrived: receive them before sending events
  }
  check_lease(start);
  uint8_t slice = start >> 11;
  if (slice != last_slice) {
    last_slice = slice;
    if (epoch) check_times(start);
  } else if (!busy && is_done()) {
    return true;  // the usual case: a byte within a frame
  }
  orders::report(waiting);
  if (waiting || !events::has_to_send()) sources::send_next(orders::REPLY_ROOM);  // ALL_OFF waits, and events do
  return !busy && is_done();
}

}  // namespace

void begin() {
  epoch = 0;
  lease_runs = false;
  orders::begin_epoch();
  events::close();
  timer_queue::clear();
  kept_openings::mark_cut();
  scheduler::forget();
  hello::send(false);
}

bool poll() {
  uint32_t start = hal::now();
  bool is_idle = work(start);
  uint16_t took = (hal::now() - start) / LOOP_UNIT;
  if (took > longest_loop) longest_loop = took;
  return is_idle;
}

bool may_sleep() {
  if (lease_runs && is_soon(lease_end)) return false;
  return !epoch || !events::any_unacknowledged() || !is_soon(events::retransmit_at());
}

bool is_idle() { return is_done() && !has_to_panic(); }

}  // namespace board
