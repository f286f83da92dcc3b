// SPDX-License-Identifier: BSD-3-Clause
//
// All that the core asks of a chip. A folder of targets/ provides it: targets/avr on a chip, targets/host in virtual
// time.
//
// Code runs on three levels. A level interrupts those below it.
//
// 1. Interrupts, with interrupts off. The interrupt of a pin records the levels of all inputs (snapshots.h). The
//    interrupt of the timer ends pulses (timer_queue.h). Others move a byte, or toggle a speaker.
// 2. The scheduler (scheduler.h), behind an interrupt, with interrupts on. It decides all else, in the order of time.
//    It never interrupts itself.
// 3. The main loop, which talks with the host.
//
// Interrupts share with the scheduler:
//
// - the ring of snapshots. Interrupts add snapshots, the scheduler drops them; each index is a byte;
// - the timer queue, which interrupts only read. Each change of a link is the write of one byte;
// - the changes of pins that timer_queue.h makes, of one byte each;
// - the voices of tones, which the scheduler changes with interrupts off;
// - the pins that flood (snapshots.h), which the scheduler changes with interrupts off.
//
// The main loop shares all other data of the core with the scheduler, and changes it under a SchedulerLock. It reads
// some counters of events without one: a stale value only makes it look again. It shares the serial rings with
// interrupts.

#pragma once

#include <stdint.h>

#include "limits.h"
#include "target.h"  // InterruptsOff, lock_scheduler

namespace hal {

// While a SchedulerLock lives the scheduler does not run by itself, only by scheduler::catch_up; interrupts do. If it
// was requested meanwhile, it runs when the lock is released. Only the main loop takes locks.
void unlock_scheduler();

class SchedulerLock {
 public:
  SchedulerLock() { lock_scheduler(); }
  ~SchedulerLock() { unlock_scheduler(); }
  SchedulerLock(const SchedulerLock&) = delete;
  SchedulerLock& operator=(const SchedulerLock&) = delete;
};

// --- time ---

// Return the time, in ticks; or the last time with this low half.
uint32_t now();
uint32_t extend(uint16_t low);

// Let the interrupt of the timer come at `due` at the latest. Only with interrupts off.
void wake_by(uint32_t due);

// --- pins ---

// A port and a bit of it. Of an output, the port has the chip's own number; of an input, it is the index of the port in
// a snapshot.
struct Pin {
  uint8_t port;
  uint8_t mask;  // 0: there is no such pin
};

// Return the pin with an Arduino number, as an output, or as an input that has an interrupt.
Pin output_pin(uint8_t number);
Pin input_pin(uint8_t number);

// Make a pin an output at a level, its rest; or an input, without an interrupt.
void make_output(Pin pin, bool level);
void make_input(Pin pin);

// Put an output on a level. After a panic this does nothing.
void drive(Pin pin, bool level);

// Return the levels of a port of inputs now; or read those of all ports. With PIN_FLAGS: read the pins of each port
// whose flag was set when the present record began.
uint8_t read_port(uint8_t port);
void read_ports(uint8_t (&levels)[limits::INPUT_PORTS]);
void read_flags(uint8_t* pins);

// Enable the interrupts of some pins of a port, and forget their earlier changes; or disable them. Only with interrupts
// off.
void watch(uint8_t port, uint8_t pins);
void unwatch(uint8_t port, uint8_t pins);

// For loops with interrupts off: take a snapshot if a pin has changed, and a byte if one has arrived.
void poll();

// --- panic ---

// Watch the panic input: when it has this level, now or later, put all outputs at rest and let none change until
// `forget_panic`, which the OPEN of a new session calls.
void watch_panic(Pin pin, bool level);
void forget_panic();

// Put all outputs at rest, as the panic input does. `at` is the low half of the time. Only with interrupts off.
void panic(uint16_t at);

// Return whether there was a panic, and when.
bool has_panicked();
uint32_t panicked_at();

// --- tones ---

// Return a free voice for a pin, or NONE. A voice makes one tone at a time.
uint8_t alloc_voice(Pin pin);
void free_voice(uint8_t voice);

// Set the frequency of a voice; start it (not after a panic); silence it, which leaves its pin at `rest`.
void prepare_tone(uint8_t voice, uint16_t hz);
void start_tone(uint8_t voice);
void stop_tone(uint8_t voice, bool rest);

// --- what is sampled, on a chip with sources ---

// Make a pin an analog input; return whether it can be one. Return its voltage now, in steps of the chip.
bool make_analog(uint8_t number);
int16_t measure(uint8_t number);

// Let the interrupt of the timer measure a pin at `due`, whenever the next `measure` of that pin comes.
void plan_measurement(uint8_t number, uint32_t due);

// Count the steps of an encoder from 0 on, up while the edges of its first pin come first. Return its number, or NONE
// if these pins cannot be counted. End that. Return its steps until now.
uint8_t begin_encoder(uint8_t pin_a, uint8_t pin_b);
void end_encoder(uint8_t encoder);
int32_t steps(uint8_t encoder);

// --- the serial line ---

// Return the next byte from the host, or -1.
int16_t receive();

// Return how many bytes can be written without waiting.
uint8_t send_capacity();

// Bytes to be sent, in a ring. `reserve_byte` writes one, for which there must be capacity, and returns its index,
// where the byte may still change. `send` releases all that was written.
extern uint8_t send_ring[limits::SEND_RING];
extern uint8_t reserve_index;

inline uint8_t reserve_byte(uint8_t byte) {
  uint8_t index = reserve_index;
  send_ring[index] = byte;
  reserve_index = (index + 1) & (limits::SEND_RING - 1);
  return index;
}

void send();

// --- what a reset leaves ---

// Return the id of this board, made on its first start and kept in its EEPROM.
uint32_t uid();

// Return how often the board has started without what it had kept in its RAM. The EEPROM counts that.
uint16_t power_ons();

// Return why the board has started: one of wire::RESET_….
uint8_t reset_reason();

// The epoch that was begun last. It survives a reset, but not the loss of power.
uint8_t& last_epoch();

}  // namespace hal
