// SPDX-License-Identifier: BSD-3-Clause
//
// What never changes and is seldom wanted, kept in flash instead of memory.

#pragma once

#include <stddef.h>
#include <string.h>

#ifdef __AVR__
#include <avr/pgmspace.h>
#define IN_FLASH PROGMEM
inline void read_flash(void* to, const void* from, size_t size) { memcpy_P(to, from, size); }
#else
#define IN_FLASH
inline void read_flash(void* to, const void* from, size_t size) { memcpy(to, from, size); }
#endif
