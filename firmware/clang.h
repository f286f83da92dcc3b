// SPDX-License-Identifier: BSD-3-Clause
//
// `make clang` includes this header first. It replaces what clang lacks for an AVR; clang only checks the sources and
// builds no program.

#pragma once

// ISR() and PROGMEM use these attributes, which only GCC has.
#define externally_visible
#define __progmem__
// In a naked function clang accepts only assembler. stop_watchdog contains C++ statements, which GCC accepts.
#define naked

// This replaces <avr/wdt.h>. Its inline functions contain assembler that clang rejects even if they are not called.
#define _AVR_WDT_H_
#define wdt_reset() __asm__ __volatile__("wdr")
inline void wdt_enable(unsigned char) {}
inline void wdt_disable() {}
