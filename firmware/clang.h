// SPDX-License-Identifier: BSD-3-Clause
//
// Included first by `make clang`, which reads the sources for an AVR and makes no program: what that compiler lacks.

#pragma once

// Attributes that only GCC has; ISR() and PROGMEM use them.
#define externally_visible
#define __progmem__
// GCC takes statements of C++ in such a function; ours are single instructions.
#define naked

// Instead of <avr/wdt.h>, whose functions are in assembler that clang refuses, called or not.
#define _AVR_WDT_H_
#define wdt_reset() __asm__ __volatile__("wdr")
inline void wdt_enable(unsigned char) {}
inline void wdt_disable() {}
