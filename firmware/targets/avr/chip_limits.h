// SPDX-License-Identifier: BSD-3-Clause
//
// This header includes the limits of the chip that the firmware is compiled for.

#pragma once

#if defined(__AVR_ATmega328P__)
#include "limits_uno.h"
#elif defined(__AVR_ATmega2560__)
#include "limits_mega.h"
#else
#error "targets/avr knows the ATmega328P and the ATmega2560"
#endif
