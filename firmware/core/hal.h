// SPDX-License-Identifier: BSD-3-Clause
//
// All that the core asks of a chip. A folder of targets/ provides it: targets/avr on a chip, targets/host in virtual
// time.
//
// Code runs on three levels. A level interrupts those below it.
//
// 1. Interrupts, with interrupts off: they take a snapshot of all inputs, execute pin events, move a byte, toggle a
//    speaker. Several pin events in a row take at most 0.2 ms. (Making the id at the first start takes longer.)
// 2. The scheduler (`scheduler::run`), behind an interrupt, with interrupts on. It never interrupts itself.
// 3. The main loop, which talks with the host.
//
// Interrupts and the scheduler share:
//
// - the ring of snapshots. Interrupts add snapshots, the scheduler drops them; each index is a byte;
// - the queue of pin events (pin_events.h), the armed pins (edge_isr.h) and the edge actions (lookahead.h). What takes
//   more than one instruction to change is changed with interrupts off;
// - inputs and groups, which the interrupts only read. The scheduler disarms an input before its next edge could do
//   something else;
// - output registers and the voices of tones, which the scheduler writes with interrupts off; flags of one bit.
//
// The main loop shares all other data of the core with the scheduler, and changes it under a SchedulerLock. It reads
// some counters of events without one: a stale value only makes it look again. It shares the serial rings with
// interrupts.

#pragma once

#include <stdint.h>

#include "limits.h"
#include "target.h"  // InterruptsOff, lock_scheduler

namespace hal {

// --- guards ---

// While a SchedulerLock lives the scheduler does not run, but interrupts do. If the scheduler was requested meanwhile,
// it runs when the lock is released. Only the main loop takes locks.
void unlock_scheduler();

class SchedulerLock {
 public:
  SchedulerLock() { lock_scheduler(); }
  ~SchedulerLock() { unlock_scheduler(); }
  SchedulerLock(const SchedulerLock&) = delete;
  SchedulerLock& operator=(const SchedulerLock&) = delete;
};

// --- time ---

// Return the time, in ticks.
uint32_t now();

// Return the low half of the time. Only with interrupts off.
uint16_t now_low();

// Return the last time with this low half.
uint32_t extend(uint16_t tick);

// Run the scheduler at `due`, and execute the next pin event when it is due.
void schedule_wakeup(uint32_t due);

// Forget that the scheduler has been asked for: it is about to handle all that has come.
void clear_scheduler_request();

// Return whether a time, given by its low half, is at most target::LEAD ticks ahead, or past. If it is not, set the
// timer for it. Only with interrupts off.
bool is_due_within_lead(uint16_t at);

// Wait for a time at most target::LEAD ticks ahead. Only with interrupts off; it takes bytes and snapshots meanwhile.
void wait_until(uint16_t at);

// If a pin has changed, take a snapshot now. Code that keeps interrupts off for more than a few microseconds calls
// this, so that every change gets a stamp of its own.
void poll_pins();

// --- pins ---

// A port and a bit of it. Of an output, the port has the chip's own number; of an input, it is the index of the port in
// a snapshot.
struct Pin {
  uint8_t port;
  uint8_t mask;  // 0: there is no such pin
};

// The levels of all inputs, and the low half of the time since when they are so.
struct PortLevels {
  uint16_t at;
  uint8_t of[limits::INPUT_PORTS];
};

// The same with the whole time.
struct Snapshot {
  uint32_t stamp;
  uint8_t levels[limits::INPUT_PORTS];
};

// Return the pin with an Arduino number, as an output, or as an input that has an interrupt. Its mask is 0 if it cannot
// be one.
Pin output_pin(uint8_t number);
Pin input_pin(uint8_t number);

// Make a pin an output at a level, its rest.
void make_output(Pin pin, bool level);

// Make a pin an input, and enable its interrupt.
void make_input(Pin pin);

// Disable the interrupts of all pins, end a panic and forget the panic input.
void forget_pins();

// Put an output on a level. After a panic this does nothing.
void drive(Pin pin, bool level);

// Return the levels of a port of inputs now.
uint8_t read_port(uint8_t port);

// Return whether there are snapshots that have not been dropped; read or drop the oldest.
bool has_snapshot();
void read_snapshot(Snapshot& snapshot);
void drop_snapshot();

// Return whether some snapshot that has not been dropped shows a pin at another level. Only with interrupts off.
bool queued_edge_differs(Pin pin, bool level);

// Once `track_edges(true)` was called, `are_edges_pending` returns whether a pin has changed and the scheduler has not
// finished with it (`clear_pending_edges`). Until then no sequence goes on and no train or ramp starts its next pulse,
// because the edge may stop it.
void track_edges(bool on);
bool are_edges_pending();
void clear_pending_edges();

// --- panic ---

// Watch the panic input: when it has this level, now or later, put all outputs at rest and let none change until
// `forget_pins`, which the OPEN of a new session calls.
void watch_panic(Pin pin, bool level);

// Return whether there was a panic, and when.
bool has_panicked();
uint32_t panicked_at();

// --- tones ---

// Return a free voice, or NO_VOICE. A voice makes one tone at a time.
uint8_t alloc_voice();
void free_voice(uint8_t voice);

// Set the pin and the frequency of a voice; start it (not after a panic); silence it, which leaves its pin at `rest`.
void prepare_tone(uint8_t voice, Pin pin, uint16_t hz);
void start_tone(uint8_t voice);
void stop_tone(uint8_t voice, bool rest);

// --- the serial line ---

// Return the next byte from the host, or -1.
int16_t receive();

// Return how many bytes can be written without waiting.
uint8_t send_capacity();

// Bytes to be sent, in a ring. `reserve_byte` writes one, for which there must be capacity, and returns its index,
// where `patch_byte` may change it. `send` releases all that was written.
extern uint8_t send_ring[limits::SEND_RING];
extern uint8_t reserve_index;

inline uint8_t reserve_byte(uint8_t byte) {
  uint8_t index = reserve_index;
  send_ring[index] = byte;
  reserve_index = (index + 1) & (limits::SEND_RING - 1);
  return index;
}
inline void patch_byte(uint8_t index, uint8_t byte) { send_ring[index] = byte; }

void send();

// --- what a reset leaves ---

// Return the id of this board, made on its first start and kept in its EEPROM.
uint32_t uid();

// Return why the board has started: one of wire::RESET_….
uint8_t reset_reason();

// The epoch that was begun last. It survives a reset, but not the loss of power.
uint8_t& last_epoch();

}  // namespace hal
