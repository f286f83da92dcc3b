// SPDX-License-Identifier: BSD-3-Clause
//
// The host pretends to be one of the chips: CHIP_LIMITS names the file with its limits.

#pragma once

#include CHIP_LIMITS
