// SPDX-License-Identifier: BSD-3-Clause
//
// Included first by files that are in no hurry: there, memory is worth more than speed.

#pragma once

#if defined(__AVR_ATmega328P__)
#pragma GCC optimize("Os,no-strict-aliasing,no-tree-switch-conversion")  // the tables of switches would lie in RAM
// These take 5 % off an Uno's flash.
#pragma GCC optimize("no-tree-forwprop,no-tree-loop-optimize,no-move-loop-invariants,no-partial-inlining")
#pragma GCC optimize("ira-algorithm=priority,no-forward-propagate")
#pragma GCC optimize("no-ssa-phiopt,no-tree-ch,no-tree-pre,section-anchors,no-optimize-sibling-calls")
#pragma GCC optimize("no-jump-tables,no-ipa-pure-const,no-shrink-wrap,no-tree-ccp,ira-region=all")
#pragma GCC optimize("no-rerun-cse-after-loop")
#elif defined(__AVR__)
#include "hot.h"
#endif
#if defined(__AVR_ATmega328P__)
#define OUT_OF_LINE __attribute__((noinline))  // keeps what it needs off the stack of its caller
#define HURRY "O2,no-strict-aliasing,no-tree-switch-conversion,optimize-sibling-calls"
#define IN_A_HURRY __attribute__((noinline, optimize(HURRY)))
#else
#define OUT_OF_LINE
#define IN_A_HURRY
#endif
