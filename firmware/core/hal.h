// SPDX-License-Identifier: BSD-3-Clause
//
// All that the portable part asks of the chip. A folder of targets/ keeps it: targets/avr on a chip, targets/host in
// virtual time.
//
// There are three levels. Interrupts are short: they stamp, move a byte, toggle a speaker, and execute what was
// prepared. `scheduler::run` comes before the loop, with interrupts on and never before itself; it commits what was
// executed, and prepares what comes next. The loop talks with the host; what it shares with the scheduler it touches
// under a SchedulerLock, which puts the scheduler off, but no interrupts.

#pragma once

#include <stdint.h>

#include "limits.h"
#include "target.h"

namespace hal {

// --- guards ---

// Puts the scheduler off, but no interrupts.
void unlock_scheduler();

class SchedulerLock {
 public:
  SchedulerLock() { lock_scheduler(); }
  ~SchedulerLock() { unlock_scheduler(); }
  SchedulerLock(const SchedulerLock&) = delete;
  SchedulerLock& operator=(const SchedulerLock&) = delete;
};

// --- time ---

// The time now, in ticks.
uint32_t now();

// The low half of it, with interrupts off; and when that was last so.
uint16_t now_low();
uint32_t extend(uint16_t tick);

// Call scheduler::run at `due`, or when pin_events::run_due is called. Forget the calls that were asked for up to now.
void schedule_wakeup(uint32_t due);
void accept_requests();

// Tell whether a time, of which this is the low half, has passed or is at most target::LEAD ticks ahead; if it is
// further, have pin_events::run_due called then. Wait for it. Only with interrupts off.
bool is_due_within_lead(uint16_t at);
void wait_until(uint16_t at);

// Keep the levels of all inputs, and since when they are so, if a pin has changed and cannot say so yet. To be called
// wherever interrupts are off for long.
void poll_pins();

// --- pins ---

constexpr uint8_t PORTS = 11;  // how many ports there may be; a port is a small number, a pin a port and a bit

struct Pin {
  uint8_t port;
  uint8_t mask;  // 0: there is no such pin
};

// The levels of all inputs, by their ports; the low half of when they were so.
struct PortLevels {
  uint16_t at;
  uint8_t of[limits::INPUT_PORTS];
};

// The same with the whole of when.
struct Snapshot {
  uint32_t stamp;
  uint8_t levels[limits::INPUT_PORTS];
};

// Find a pin by its Arduino number, as an output.
Pin output_pin(uint8_t number);

// Find a pin that can interrupt, as an input: its port is its place among the watched ones.
Pin input_pin(uint8_t number);

// Make it an output at `level`.
void make_output(Pin pin, bool level);

// Make it an input, and watch it.
void make_input(Pin pin);

// Watch no pin any more, nor the panic input; every pin is an input.
void forget_pins();

// Put a level on an output, unless there was a panic.
void drive(Pin pin, bool level);

// The level of a port of inputs now.
uint8_t read_port(uint8_t port);

// Whether there are captures that were not dropped yet; the oldest of them.
bool has_snapshot();
void read_snapshot(Snapshot& snapshot);
void drop_snapshot();

// From now on, or no longer, tell whether a pin has changed since all that had come was done: an edge may stop what
// comes now. It is done, unless a pin has just changed.
void track_edges(bool minds);
bool are_edges_pending();
void edges_handled();

// Tell whether any of them has a pin at another level. Only with interrupts off.
bool queued_edge_differs(Pin pin, bool level);

// --- panic ---

// Watch a pin: as soon as it has this level, or if it has it now, put all outputs at their rest. From then on none
// moves, whatever is asked, until pins are forgotten. The rest of an output is the level that it was made with.
void watch_panic(Pin pin, bool level);

// Whether that was so, and when.
bool has_panicked();
uint32_t panicked_at();

// --- tones ---

// Reserve a voice; NO_VOICE when all are taken. A voice sounds on one pin at a time.
uint8_t alloc_voice();
void free_voice(uint8_t voice);

// Prepare a square wave; start it, unless there was a panic; silence it, with the pin at its rest.
void prepare(uint8_t voice, Pin pin, uint16_t hz);
void start(uint8_t voice);
void silence(uint8_t voice, bool rest);

// --- the wire ---

// Take a byte from the host; -1 when there is none.
int16_t receive();

// How many bytes can be sent without waiting.
uint8_t send_capacity();

// What is to be sent, and up to where it has been drafted.
extern uint8_t sending[limits::SEND_RING];
extern uint8_t reserved;

// Draft a byte to be sent, for which there must be room; return its place, where it may be corrected.
inline uint8_t reserve_byte(uint8_t byte) {
  uint8_t place = reserved;
  sending[place] = byte;
  reserved = (place + 1) & (limits::SEND_RING - 1);
  return place;
}
inline void patch_byte(uint8_t place, uint8_t byte) { sending[place] = byte; }

// Send what was drafted.
void send();

// --- the rest ---

// The board's own id, kept for ever.
uint32_t uid();

// Why the board has started, one of wire::RESET_….
uint8_t reset_reason();

// The last epoch that was ever begun, kept across resets without loss of power.
uint8_t& last_epoch();

}  // namespace hal
