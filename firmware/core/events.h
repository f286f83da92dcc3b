// SPDX-License-Identifier: BSD-3-Clause
//
// What the board has to report: numbered, kept until the host has it on record, repeated until then.

#pragma once

#include <stdint.h>

#include "messages.h"

namespace events {

struct Counters {
  uint16_t resent, lost;
};
extern Counters counters;

// Forget everything and count from 1; nothing is reported before.
void open(uint16_t resend_ms);
void close();

// The number of the last event.
uint16_t count();

// Report something; return its number, or when it found no room, one later than the host can have read.
uint16_t edge(uint8_t place, uint8_t fired, uint32_t stamp);
void time(uint32_t stamp, uint8_t executed);
void started(uint8_t sequence, uint32_t stamp);
void done(uint8_t channel, uint8_t why, uint32_t stamp);
void refused(uint8_t batch, uint8_t order, uint8_t reason, uint32_t stamp);
void lease(uint8_t epoch, uint8_t executed, uint32_t stamp);
void panic(uint8_t epoch, uint8_t executed);  // at hal::panicked_at

// The host has everything up to `number` on record.
void heard(uint16_t number, uint32_t now);

// Begin to send again what is overdue. To be called now and then.
void repeat(uint32_t now);

// Send one that is to be sent again, or a new one, if there is room beside `reserve` bytes; tell whether it is new.
bool send(uint8_t reserve);

// How many are new, at most MANY; whether some are being sent again.
constexpr uint8_t MANY = 0xFE;
uint8_t unsent();
bool are_repeated();

// Tell whether there is anything that the host has not said to be on record; and when that is sent again.
bool any();
uint32_t overdue_at();

// Tell whether something waits for room, or its turn.
bool has_to_send();

}  // namespace events
