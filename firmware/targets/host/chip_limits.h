// SPDX-License-Identifier: BSD-3-Clause
//
// This header gives the host build the limits of one chip. The Makefile sets CHIP_LIMITS to the header that has them.

#pragma once

#include CHIP_LIMITS
