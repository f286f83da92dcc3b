// SPDX-License-Identifier: BSD-3-Clause
//
// Included first by files whose code runs between an edge and its reflex, or for every byte: there, speed is worth
// more than flash.

#pragma once

#ifdef __AVR__
#pragma GCC optimize("O2,no-strict-aliasing,no-tree-switch-conversion")
#endif
