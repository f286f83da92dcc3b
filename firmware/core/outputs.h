// SPDX-License-Identifier: BSD-3-Clause
//
// Outputs: switching, pulses, trains, tones, ramps and sync codes. The board ends each pulse itself, and switches a
// dangerous output off at its on-time limit.
//
// The scheduler calls these functions, or the main loop under a SchedulerLock. Times are ticks.

#pragma once

#include <stdint.h>

#include "channels.h"

namespace outputs {

// How often a limit has switched an output off since OPEN. It stops at its largest value.
extern uint16_t limits_hit;

// Make a channel an output that is off; execute an action on its channel, of which a sync code counts its times from
// `at`. Return 0, or the reason of the refusal. A dangerous output reports the event ON, with the cause, when it first
// goes on.
uint8_t configure(const wire::OrderOutput& order);
uint8_t perform(const Action& action, uint32_t at, Cause cause);

// Handle the end of a pulse, a gap, a tone or the on-time limit, or an edge of a sync code: the channel's entry in the
// timer queue was due at `at`. The interrupt of the timer has usually changed the pin already, unless a pulse begins.
void on_due(uint8_t channel, uint32_t at);

// End the order that an output executes and put the output on its safe level. Report the event DONE with the reason
// `why`; an output that SET has switched on reports it only if its limit ends it. Do nothing if it executes no order.
void off(uint8_t channel, uint8_t why);

// Switch off all outputs that this sequence has started; or all outputs.
void stop_started_by(uint8_t sequence);
void all_off();

// Reset the interlock and `limits_hit`. The caller has switched off all outputs and clears the channels.
void forget();

}  // namespace outputs
