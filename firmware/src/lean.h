// SPDX-License-Identifier: BSD-3-Clause
//
// Included first by files that are in no hurry: there, memory is worth more than speed.

#pragma once

#ifdef __AVR__
#pragma GCC optimize("Os,no-strict-aliasing,no-tree-switch-conversion")  // the tables of switches would lie in RAM
#define OUT_OF_LINE __attribute__((noinline))  // keeps what it needs off the stack of its caller
#define IN_A_HURRY __attribute__((noinline, optimize("O2,no-strict-aliasing,no-tree-switch-conversion")))
#else
#define OUT_OF_LINE
#define IN_A_HURRY
#endif
