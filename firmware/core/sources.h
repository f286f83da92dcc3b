// SPDX-License-Identifier: BSD-3-Clause
//
// Sources: analog inputs and encoders that are sampled, each with its period (docs/decisions/samples.md). The scheduler
// takes each value when it is due. Values go to the host in blocks, beside the events: a block is sent once, or counted
// as lost.
//
// A threshold compares each value with two levels. It is an input whose pin is virtual: a bit of a port that no pin of
// the chip has. So filters, floods, edges and reflexes are those of other inputs.
//
// A chip without sources defines no TARGET_SAMPLES, and has nothing of this but functions that do nothing.

#pragma once

#include <stdint.h>

#include "hal.h"
#include "limits.h"
#include "messages.h"

namespace sources {

#ifdef TARGET_SAMPLES

// Execute SAMPLE, COUNT or THRESHOLD; return why not, or 0. Only under a SchedulerLock.
uint8_t configure(const uint8_t* order);

// Take the values that are due at `at`. Only for the scheduler.
void on_due(uint32_t at);

// Return the first time, up to `now`, whose values have not been taken.
uint32_t horizon(uint32_t now);

// Stop sampling, and leave what was sampled to be sent. Remove all sources and blocks, and count blocks from 0.
void stop();
void forget();

// Return whether a block is left to be sent. Send one, if the send ring then has `reserve` free bytes left. Main loop
// only.
bool has_to_send();
void send_next(uint8_t reserve);

// Free the place of a threshold, whose channel becomes something else.
void release(hal::Pin pin);

// Return whether a port of a snapshot is one of thresholds, and the levels of that port.
constexpr uint8_t FIRST_PORT = limits::INPUT_PORTS - limits::THRESHOLD_PORTS;
extern uint8_t levels[limits::THRESHOLD_PORTS];
inline bool has_port(uint8_t port) { return port >= FIRST_PORT; }
inline uint8_t levels_of(uint8_t port) { return levels[port - FIRST_PORT]; }

#else

inline uint8_t configure(const uint8_t*) { return wire::REASON_UNKNOWN; }
inline uint32_t horizon(uint32_t now) { return now; }
inline void on_due(uint32_t) {}
inline void stop() {}
inline void forget() {}
inline void release(hal::Pin) {}
inline bool has_to_send() { return false; }
inline void send_next(uint8_t) {}
constexpr uint8_t FIRST_PORT = limits::INPUT_PORTS;
inline bool has_port(uint8_t) { return false; }
inline uint8_t levels_of(uint8_t) { return 0; }

#endif

}  // namespace sources
