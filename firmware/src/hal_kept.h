// SPDX-License-Identifier: BSD-3-Clause
//
// Memory that a reset leaves alone, as long as the chip has power.

#pragma once

#ifdef __AVR__
#define LEFT_BY_RESETS __attribute__((section(".noinit")))
#else
#define LEFT_BY_RESETS
#endif
