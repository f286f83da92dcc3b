// SPDX-License-Identifier: BSD-3-Clause
//
// Generated from rig/boards/wire/messages.py by make pages: do not edit.
//
// The wire, described once: every message and every order, field by field.
//
// All numbers are little-endian. Stamps are 32-bit ticks of the board's raw clock, which wraps; events and
// batches are counted modulo 2^16 and 2^8.
//
// A message is code and its fields; its length is exact. A BATCH is followed by count orders, an order by its
// fields; an ARM or MEMBERS by count members, and a LOAD or ENTRIES by count entries, each of which ends in one
// order. SAMPLES and COUNTS are followed by count values, of 16 and of 32 bits. An order whose first byte is
// MORE has a second byte that says which one it is.

#pragma once

#include <stdint.h>

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "these structs lie in memory as they travel only where numbers are little-endian"
#endif

namespace wire {

constexpr uint8_t VERSION = 9;  // Raised whenever a byte changes its meaning.
constexpr uint8_t LONGEST_PAYLOAD = 120;  // No payload is longer.
constexpr uint8_t LONGEST_FRAME = 123;  // No frame is longer; its delimiter is not counted.
constexpr uint16_t CRC_START = 0xFFFF;  // CRC-16: polynomial 0x1021, high bit first, starts with this,
constexpr uint16_t CRC_XOR = 0xFFFF;  // ends with this, and follows the payload, little-endian.
constexpr uint8_t WINDOW_BYTES = 48;  // The most bytes of batches that the host leaves unacknowledged,
constexpr uint8_t WINDOW_FRAMES = 4;  // and the most frames: the board keeps its answers to the last ones.
constexpr uint8_t ROOM_BYTES = 36;  // The most that the orders of one frame take.
constexpr uint8_t MORE = 15;  // The first byte of orders of the second table; their codes have it as their low byte.
constexpr uint8_t NAME_BYTES = 8;  // A board's name, filled up with zeros.
constexpr uint8_t FIRST_EVENT = 0x91;  // Messages from here on are events: numbered, and repeated until EVENT_ACK.
constexpr uint8_t LAST_EVENT = 0x9A;  // The largest code of an event.

constexpr uint8_t LEVEL = 0x80;
constexpr uint8_t MORE_FRAMES = 0x80;
constexpr uint8_t MAX_ORDERS = 48;
constexpr uint8_t WHOLE_BATCH = 0xFF;
constexpr uint8_t INVERTED = 1;
constexpr uint8_t DANGEROUS = 2;
constexpr uint8_t EXCLUSIVE = 4;
constexpr uint8_t DONE_FINISHED = 0;
constexpr uint8_t DONE_STOPPED = 1;
constexpr uint8_t DONE_LIMIT = 2;
constexpr uint8_t CAUSE_ORDER = 0;
constexpr uint8_t CAUSE_REFLEX = 1;
constexpr uint8_t CAUSE_SEQUENCE = 2;
constexpr uint8_t REASON_NEWER_EDGE = 1;
constexpr uint8_t REASON_BUSY = 2;
constexpr uint8_t REASON_NO_ROOM = 3;
constexpr uint8_t REASON_UNKNOWN = 4;
constexpr uint8_t REASON_TOO_LONG = 5;
constexpr uint8_t REASON_PAST = 6;
constexpr uint8_t REASON_INTERLOCK = 7;
constexpr uint8_t MAX_EFFECTS = 15;
constexpr uint8_t OPENING_OPEN = 1;
constexpr uint8_t OPENING_CUT = 2;
constexpr uint8_t RESET_POWER = 0;
constexpr uint8_t RESET_BUTTON = 1;
constexpr uint8_t RESET_BROWN_OUT = 2;
constexpr uint8_t RESET_WATCHDOG = 3;

// --- host to board ---

// Request self-description. Answered by HELLO.
constexpr uint8_t CODE_GET_HELLO = 0x01;
struct __attribute__((packed)) GetHello {
  uint8_t code;
};
static_assert(sizeof(GetHello) == 1, "GetHello lies in memory as it travels");

// All off; clear channels, groups, sequences; start an epoch; count events from 1. Idempotent per nonce.
constexpr uint8_t CODE_OPEN = 0x02;
struct __attribute__((packed)) Open {
  uint8_t code;
  uint16_t nonce;
  uint16_t lease_ms;
  uint16_t resend_ms;
};
static_assert(sizeof(Open) == 7, "Open lies in memory as it travels");

// A frame of a batch: with its last frame its orders are executed in one pass. number counts the frames of the
// epoch; MORE_FRAMES in count: another frame of this batch follows. heard: last event journaled; seen: last
// event the task had read.
constexpr uint8_t CODE_BATCH = 0x03;
struct __attribute__((packed)) Batch {
  uint8_t code;
  uint8_t epoch;
  uint8_t number;
  uint16_t heard;
  uint16_t seen;
  uint8_t count;
};
static_assert(sizeof(Batch) == 8, "Batch lies in memory as it travels");

// Events up to heard are journaled. A keepalive_id other than 0 is answered by KEEPALIVE_ACK.
constexpr uint8_t CODE_EVENT_ACK = 0x04;
struct __attribute__((packed)) EventAck {
  uint8_t code;
  uint16_t heard;
  uint8_t keepalive_id;
};
static_assert(sizeof(EventAck) == 4, "EventAck lies in memory as it travels");

// Request the time. Answered by TIME in the event stream.
constexpr uint8_t CODE_GET_TIME = 0x05;
struct __attribute__((packed)) GetTime {
  uint8_t code;
  uint16_t heard;
};
static_assert(sizeof(GetTime) == 3, "GetTime lies in memory as it travels");

// Everything off; start an epoch. Idempotent per nonce.
constexpr uint8_t CODE_ALL_OFF = 0x06;
struct __attribute__((packed)) AllOff {
  uint8_t code;
  uint8_t nonce;
};
static_assert(sizeof(AllOff) == 2, "AllOff lies in memory as it travels");

// Request counters. Answered by HEALTH.
constexpr uint8_t CODE_GET_HEALTH = 0x07;
struct __attribute__((packed)) GetHealth {
  uint8_t code;
};
static_assert(sizeof(GetHealth) == 1, "GetHealth lies in memory as it travels");

// Request a kept opening: place 0 is the latest. Answered by OPENING, also by a board that is not open.
constexpr uint8_t CODE_GET_OPENING = 0x08;
struct __attribute__((packed)) GetOpening {
  uint8_t code;
  uint8_t place;
};
static_assert(sizeof(GetOpening) == 2, "GetOpening lies in memory as it travels");

// --- board to host ---

// Self-description. Unsolicited (solicited = 0) after a reset, and when a closed board gets orders.
constexpr uint8_t CODE_HELLO = 0x81;
struct __attribute__((packed)) Hello {
  uint8_t code;
  uint8_t wire;
  uint16_t firmware;
  uint32_t uid;
  uint16_t power_ons;
  uint16_t tick_ns;
  uint8_t channels;
  uint8_t sources;
  uint8_t groups;
  uint8_t members;
  uint8_t sequences;
  uint8_t entries;
  uint8_t openings;
  uint16_t events;
  uint8_t solicited;
  uint8_t reset;
  char name[NAME_BYTES];
};
static_assert(sizeof(Hello) == 31, "Hello lies in memory as it travels");

// The answer to OPEN.
constexpr uint8_t CODE_OPENED = 0x82;
struct __attribute__((packed)) Opened {
  uint8_t code;
  uint16_t nonce;
  uint8_t epoch;
  uint32_t stamp;
};
static_assert(sizeof(Opened) == 8, "Opened lies in memory as it travels");

// Frame number of this epoch was received; if it is the last one of its batch, the batch was executed at stamp.
constexpr uint8_t CODE_ACK = 0x83;
struct __attribute__((packed)) Ack {
  uint8_t code;
  uint8_t epoch;
  uint8_t number;
  uint32_t stamp;
};
static_assert(sizeof(Ack) == 7, "Ack lies in memory as it travels");

// The answer to ALL_OFF: all outputs are off since stamp; event and executed are the last before it.
constexpr uint8_t CODE_ALL_OFF_DONE = 0x84;
struct __attribute__((packed)) AllOffDone {
  uint8_t code;
  uint8_t nonce;
  uint8_t epoch;
  uint16_t event;
  uint8_t executed;
  uint32_t stamp;
};
static_assert(sizeof(AllOffDone) == 10, "AllOffDone lies in memory as it travels");

// Counters since OPEN.
constexpr uint8_t CODE_HEALTH = 0x85;
struct __attribute__((packed)) Health {
  uint8_t code;
  uint16_t damaged;
  uint16_t resent;
  uint16_t refused;
  uint16_t lost;
  uint8_t leases;
  uint16_t limits;
  uint32_t longest_loop_us;
};
static_assert(sizeof(Health) == 16, "Health lies in memory as it travels");

// The answer to EVENT_ACK with a keepalive_id; the time is stamp.
constexpr uint8_t CODE_KEEPALIVE_ACK = 0x86;
struct __attribute__((packed)) KeepaliveAck {
  uint8_t code;
  uint8_t keepalive_id;
  uint32_t stamp;
};
static_assert(sizeof(KeepaliveAck) == 6, "KeepaliveAck lies in memory as it travels");

// One of kept openings of dangerous outputs: its number since power came, its channel and epoch, cause, by and
// part as in ON, when it began, its length. flags: OPENING_OPEN, OPENING_CUT. Without one, all fields after kept
// are 0.
constexpr uint8_t CODE_OPENING = 0x87;
struct __attribute__((packed)) Opening {
  uint8_t code;
  uint8_t place;
  uint8_t kept;
  uint16_t number;
  uint8_t channel;
  uint8_t epoch;
  uint8_t cause;
  uint8_t by;
  uint8_t part;
  uint8_t flags;
  uint32_t stamp;
  uint32_t ticks;
};
static_assert(sizeof(Opening) == 19, "Opening lies in memory as it travels");

// count values of an analog source, the first at stamp and one every period_ticks. block counts those of the
// source since OPEN, and lost those of them that the board could not send, at most 65,535.
constexpr uint8_t CODE_SAMPLES = 0x88;
struct __attribute__((packed)) Samples {
  uint8_t code;
  uint8_t source;
  uint32_t block;
  uint16_t lost;
  uint32_t stamp;
  uint32_t period_ticks;
  uint8_t count;
};
static_assert(sizeof(Samples) == 17, "Samples lies in memory as it travels");

// count values of an encoder, its steps since COUNT; all other fields as in SAMPLES.
constexpr uint8_t CODE_COUNTS = 0x89;
struct __attribute__((packed)) Counts {
  uint8_t code;
  uint8_t source;
  uint32_t block;
  uint16_t lost;
  uint32_t stamp;
  uint32_t period_ticks;
  uint8_t count;
};
static_assert(sizeof(Counts) == 17, "Counts lies in memory as it travels");

// An input changed at stamp; level in bit 7 of channel; fired: the group it fired, 0 if none.
constexpr uint8_t CODE_EDGE = 0x91;
struct __attribute__((packed)) Edge {
  uint8_t code;
  uint16_t number;
  uint8_t channel;
  uint8_t fired;
  uint32_t stamp;
};
static_assert(sizeof(Edge) == 9, "Edge lies in memory as it travels");

// No edge stamped up to stamp will still be reported; executed: how many batches of the epoch were executed.
constexpr uint8_t CODE_TIME = 0x92;
struct __attribute__((packed)) Time {
  uint8_t code;
  uint16_t number;
  uint32_t stamp;
  uint8_t executed;
};
static_assert(sizeof(Time) == 8, "Time lies in memory as it travels");

// A sequence started, by an order of batch by, a member of group by, or an entry of sequence by: cause as in ON.
constexpr uint8_t CODE_STARTED = 0x93;
struct __attribute__((packed)) Started {
  uint8_t code;
  uint16_t number;
  uint8_t sequence;
  uint8_t cause;
  uint8_t by;
  uint32_t stamp;
};
static_assert(sizeof(Started) == 10, "Started lies in memory as it travels");

// An output's action ended: why is DONE_FINISHED, DONE_STOPPED or DONE_LIMIT.
constexpr uint8_t CODE_DONE = 0x94;
struct __attribute__((packed)) Done {
  uint8_t code;
  uint16_t number;
  uint8_t channel;
  uint8_t why;
  uint32_t stamp;
};
static_assert(sizeof(Done) == 9, "Done lies in memory as it travels");

// An order of a batch, or an entry of a sequence, was not executed, for reason. cause, by and part as in ON, but
// never CAUSE_REFLEX. part WHOLE_BATCH: no order of the batch was executed that gives something.
constexpr uint8_t CODE_REFUSED = 0x95;
struct __attribute__((packed)) Refused {
  uint8_t code;
  uint16_t number;
  uint8_t cause;
  uint8_t by;
  uint8_t part;
  uint8_t reason;
  uint32_t stamp;
};
static_assert(sizeof(Refused) == 11, "Refused lies in memory as it travels");

// The lease expired: all outputs are off, epoch has started; executed: last batch of the old epoch.
constexpr uint8_t CODE_LEASE = 0x96;
struct __attribute__((packed)) Lease {
  uint8_t code;
  uint16_t number;
  uint8_t epoch;
  uint8_t executed;
  uint32_t stamp;
};
static_assert(sizeof(Lease) == 9, "Lease lies in memory as it travels");

// The event buffer was full: lost events were dropped, or more if it is 255. effects of them, at most
// MAX_EFFECTS, were an EDGE that fired, STARTED, REFUSED or ON; executed: last batch that had begun when the
// last of these was dropped.
constexpr uint8_t CODE_OVERFLOW = 0x97;
struct __attribute__((packed)) Overflow {
  uint8_t code;
  uint16_t number;
  uint8_t lost;
  uint8_t executed;
  uint8_t effects;
  uint32_t stamp;
};
static_assert(sizeof(Overflow) == 10, "Overflow lies in memory as it travels");

// The panic input was active: all outputs are off, and epoch has started. No batch is executed until OPEN;
// executed: last batch of the old epoch.
constexpr uint8_t CODE_PANIC = 0x98;
struct __attribute__((packed)) Panic {
  uint8_t code;
  uint16_t number;
  uint8_t epoch;
  uint8_t executed;
  uint32_t stamp;
};
static_assert(sizeof(Panic) == 9, "Panic lies in memory as it travels");

// An input changed too often, per_ms times a millisecond: its edges are ignored until it is quiet; then per_ms
// is 0 and its level is read again.
constexpr uint8_t CODE_FLOOD = 0x99;
struct __attribute__((packed)) Flood {
  uint8_t code;
  uint16_t number;
  uint8_t channel;
  uint8_t per_ms;
  uint32_t stamp;
};
static_assert(sizeof(Flood) == 9, "Flood lies in memory as it travels");

// A dangerous output went on at stamp. cause: CAUSE_ORDER, order part of batch by; CAUSE_REFLEX, the member of
// group by whose edge is part, level in bit 7; CAUSE_SEQUENCE, entry part of sequence by, in the order of
// delays.
constexpr uint8_t CODE_ON = 0x9A;
struct __attribute__((packed)) On {
  uint8_t code;
  uint16_t number;
  uint8_t channel;
  uint8_t cause;
  uint8_t by;
  uint8_t part;
  uint32_t stamp;
};
static_assert(sizeof(On) == 11, "On lies in memory as it travels");

// --- orders, in a BATCH ---

// Do nothing.
constexpr uint8_t ORDER_NOTHING = 0x00;
struct __attribute__((packed)) OrderNothing {
  uint8_t code;
};
static_assert(sizeof(OrderNothing) == 1, "OrderNothing lies in memory as it travels");

// Switch an output; level in bit 7 of channel.
constexpr uint8_t ORDER_SET = 0x01;
struct __attribute__((packed)) OrderSet {
  uint8_t code;
  uint8_t channel;
};
static_assert(sizeof(OrderSet) == 2, "OrderSet lies in memory as it travels");

// On for ticks.
constexpr uint8_t ORDER_PULSE = 0x02;
struct __attribute__((packed)) OrderPulse {
  uint8_t code;
  uint8_t channel;
  uint32_t ticks;
};
static_assert(sizeof(OrderPulse) == 6, "OrderPulse lies in memory as it travels");

// count pulses of on_ticks, one every period_ticks.
constexpr uint8_t ORDER_TRAIN = 0x03;
struct __attribute__((packed)) OrderTrain {
  uint8_t code;
  uint8_t channel;
  uint32_t on_ticks;
  uint32_t period_ticks;
  uint16_t count;
};
static_assert(sizeof(OrderTrain) == 12, "OrderTrain lies in memory as it travels");

// Sound hz for ticks.
constexpr uint8_t ORDER_TONE = 0x04;
struct __attribute__((packed)) OrderTone {
  uint8_t code;
  uint8_t channel;
  uint16_t hz;
  uint32_t ticks;
};
static_assert(sizeof(OrderTone) == 8, "OrderTone lies in memory as it travels");

// count tones from hz in steps of step_hz.
constexpr uint8_t ORDER_RAMP = 0x05;
struct __attribute__((packed)) OrderRamp {
  uint8_t code;
  uint8_t channel;
  uint16_t hz;
  int16_t step_hz;
  uint16_t tone_ms;
  uint16_t period_ms;
  uint16_t count;
};
static_assert(sizeof(OrderRamp) == 12, "OrderRamp lies in memory as it travels");

// Start a sequence now.
constexpr uint8_t ORDER_START = 0x06;
struct __attribute__((packed)) OrderStart {
  uint8_t code;
  uint8_t sequence;
};
static_assert(sizeof(OrderStart) == 2, "OrderStart lies in memory as it travels");

// Start a sequence at stamp; refused when past.
constexpr uint8_t ORDER_START_AT = 0x07;
struct __attribute__((packed)) OrderStartAt {
  uint8_t code;
  uint8_t sequence;
  uint32_t stamp;
};
static_assert(sizeof(OrderStartAt) == 6, "OrderStartAt lies in memory as it travels");

// Stop a sequence and what of it is on.
constexpr uint8_t ORDER_STOP = 0x08;
struct __attribute__((packed)) OrderStop {
  uint8_t code;
  uint8_t sequence;
};
static_assert(sizeof(OrderStop) == 2, "OrderStop lies in memory as it travels");

// Send a sync code every period_ms until the output is switched off: on for bit_ms, off for bit_ms, then the
// lowest bits of a word, the highest first. The word of code i is the MurmurHash3 finalizer of state + i *
// 0x9E3779B9.
constexpr uint8_t ORDER_CODE = 0x09;
struct __attribute__((packed)) OrderCode {
  uint8_t code;
  uint8_t channel;
  uint32_t state;
  uint16_t period_ms;
  uint16_t bit_ms;
  uint8_t bits;
};
static_assert(sizeof(OrderCode) == 11, "OrderCode lies in memory as it travels");

// Load a sequence: the entries that ENTRIES has brought, and count entries of (delay_ticks u32, order).
constexpr uint8_t ORDER_LOAD = 0x0A;
struct __attribute__((packed)) OrderLoad {
  uint8_t code;
  uint8_t sequence;
  uint8_t count;
};
static_assert(sizeof(OrderLoad) == 3, "OrderLoad lies in memory as it travels");

// Arm a group: the members that MEMBERS has brought, and count members of (channel u8 with the level in bit 7,
// order). bounded = 0: until is void.
constexpr uint8_t ORDER_ARM = 0x0B;
struct __attribute__((packed)) OrderArm {
  uint8_t code;
  uint8_t group;
  uint8_t bounded;
  uint32_t until;
  uint8_t count;
};
static_assert(sizeof(OrderArm) == 8, "OrderArm lies in memory as it travels");

// Forget a group.
constexpr uint8_t ORDER_DISARM = 0x0C;
struct __attribute__((packed)) OrderDisarm {
  uint8_t code;
  uint8_t group;
};
static_assert(sizeof(OrderDisarm) == 2, "OrderDisarm lies in memory as it travels");

// Configure an input. flags: INVERTED. Its level follows as an EDGE that fires nothing, if it is on.
constexpr uint8_t ORDER_INPUT = 0x0D;
struct __attribute__((packed)) OrderInput {
  uint8_t code;
  uint8_t channel;
  uint8_t pin;
  uint8_t flags;
  uint32_t debounce_us;
  uint32_t confirm_on_us;
  uint32_t confirm_off_us;
};
static_assert(sizeof(OrderInput) == 16, "OrderInput lies in memory as it travels");

// Configure an output, off. flags: INVERTED, DANGEROUS, EXCLUSIVE (no two such are on at once). max_on_ms bounds
// a dangerous one.
constexpr uint8_t ORDER_OUTPUT = 0x0E;
struct __attribute__((packed)) OrderOutput {
  uint8_t code;
  uint8_t channel;
  uint8_t pin;
  uint8_t flags;
  uint16_t max_on_ms;
};
static_assert(sizeof(OrderOutput) == 6, "OrderOutput lies in memory as it travels");

// Configure the panic input; one that is active already panics at once. flags: INVERTED.
constexpr uint16_t ORDER_PANIC = 0x10F;
struct __attribute__((packed)) OrderPanic {
  uint16_t code;
  uint8_t pin;
  uint8_t flags;
};
static_assert(sizeof(OrderPanic) == 4, "OrderPanic lies in memory as it travels");

// Bring count members of a group ahead of its ARM.
constexpr uint16_t ORDER_MEMBERS = 0x20F;
struct __attribute__((packed)) OrderMembers {
  uint16_t code;
  uint8_t group;
  uint8_t count;
};
static_assert(sizeof(OrderMembers) == 4, "OrderMembers lies in memory as it travels");

// Bring count entries of a sequence ahead of its LOAD. The first ones stop and remove the sequence.
constexpr uint16_t ORDER_ENTRIES = 0x30F;
struct __attribute__((packed)) OrderEntries {
  uint16_t code;
  uint8_t sequence;
  uint8_t count;
};
static_assert(sizeof(OrderEntries) == 4, "OrderEntries lies in memory as it travels");

// Sample an analog pin as a source, the first time at once; replaces the source and its thresholds.
constexpr uint16_t ORDER_SAMPLE = 0x40F;
struct __attribute__((packed)) OrderSample {
  uint16_t code;
  uint8_t source;
  uint8_t pin;
  uint32_t period_us;
};
static_assert(sizeof(OrderSample) == 8, "OrderSample lies in memory as it travels");

// Count the steps of an encoder as a source, from 0 on: each edge of either pin is one. pin_a ahead of pin_b
// counts up. Replaces the source and its thresholds.
constexpr uint16_t ORDER_COUNT = 0x50F;
struct __attribute__((packed)) OrderCount {
  uint16_t code;
  uint8_t source;
  uint8_t pin_a;
  uint8_t pin_b;
  uint32_t period_us;
};
static_assert(sizeof(OrderCount) == 9, "OrderCount lies in memory as it travels");

// Configure an input whose pin is virtual: high once a value of source is above or more, low once it is below or
// less. All else as in INPUT.
constexpr uint16_t ORDER_THRESHOLD = 0x60F;
struct __attribute__((packed)) OrderThreshold {
  uint16_t code;
  uint8_t channel;
  uint8_t source;
  int32_t below;
  int32_t above;
  uint8_t flags;
  uint32_t debounce_us;
  uint32_t confirm_on_us;
  uint32_t confirm_off_us;
};
static_assert(sizeof(OrderThreshold) == 25, "OrderThreshold lies in memory as it travels");

// The bytes of a message (of BATCH, SAMPLES and COUNTS: its head) with this code, 0 when there is none.
constexpr uint8_t message_size(uint8_t code) {
  return code == CODE_GET_HELLO ? sizeof(GetHello)
         : code == CODE_OPEN ? sizeof(Open)
         : code == CODE_BATCH ? sizeof(Batch)
         : code == CODE_EVENT_ACK ? sizeof(EventAck)
         : code == CODE_GET_TIME ? sizeof(GetTime)
         : code == CODE_ALL_OFF ? sizeof(AllOff)
         : code == CODE_GET_HEALTH ? sizeof(GetHealth)
         : code == CODE_GET_OPENING ? sizeof(GetOpening)
         : code == CODE_HELLO ? sizeof(Hello)
         : code == CODE_OPENED ? sizeof(Opened)
         : code == CODE_ACK ? sizeof(Ack)
         : code == CODE_ALL_OFF_DONE ? sizeof(AllOffDone)
         : code == CODE_HEALTH ? sizeof(Health)
         : code == CODE_KEEPALIVE_ACK ? sizeof(KeepaliveAck)
         : code == CODE_OPENING ? sizeof(Opening)
         : code == CODE_SAMPLES ? sizeof(Samples)
         : code == CODE_COUNTS ? sizeof(Counts)
         : code == CODE_EDGE ? sizeof(Edge)
         : code == CODE_TIME ? sizeof(Time)
         : code == CODE_STARTED ? sizeof(Started)
         : code == CODE_DONE ? sizeof(Done)
         : code == CODE_REFUSED ? sizeof(Refused)
         : code == CODE_LEASE ? sizeof(Lease)
         : code == CODE_OVERFLOW ? sizeof(Overflow)
         : code == CODE_PANIC ? sizeof(Panic)
         : code == CODE_FLOOD ? sizeof(Flood)
         : code == CODE_ON ? sizeof(On)
         : 0;
}

// The bytes of an order with this code, 0 when there is none.
constexpr uint8_t order_size(uint16_t code) {
  return code == ORDER_NOTHING ? sizeof(OrderNothing)
         : code == ORDER_SET ? sizeof(OrderSet)
         : code == ORDER_PULSE ? sizeof(OrderPulse)
         : code == ORDER_TRAIN ? sizeof(OrderTrain)
         : code == ORDER_TONE ? sizeof(OrderTone)
         : code == ORDER_RAMP ? sizeof(OrderRamp)
         : code == ORDER_START ? sizeof(OrderStart)
         : code == ORDER_START_AT ? sizeof(OrderStartAt)
         : code == ORDER_STOP ? sizeof(OrderStop)
         : code == ORDER_CODE ? sizeof(OrderCode)
         : code == ORDER_LOAD ? sizeof(OrderLoad)
         : code == ORDER_ARM ? sizeof(OrderArm)
         : code == ORDER_DISARM ? sizeof(OrderDisarm)
         : code == ORDER_INPUT ? sizeof(OrderInput)
         : code == ORDER_OUTPUT ? sizeof(OrderOutput)
         : code == ORDER_PANIC ? sizeof(OrderPanic)
         : code == ORDER_MEMBERS ? sizeof(OrderMembers)
         : code == ORDER_ENTRIES ? sizeof(OrderEntries)
         : code == ORDER_SAMPLE ? sizeof(OrderSample)
         : code == ORDER_COUNT ? sizeof(OrderCount)
         : code == ORDER_THRESHOLD ? sizeof(OrderThreshold)
         : 0;
}

}  // namespace wire
