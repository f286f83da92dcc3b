// SPDX-License-Identifier: BSD-3-Clause
//
// Included first by files whose code runs between an edge and its reflex, or for every byte: there, speed is worth
// more than flash.

#pragma once

#ifdef __AVR__
#pragma GCC optimize("O2,no-strict-aliasing")
#define OUT_OF_LINE __attribute__((noinline))  // keeps what it needs off the stack of its caller
#else
#define OUT_OF_LINE
#endif
