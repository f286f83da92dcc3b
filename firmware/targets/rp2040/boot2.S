// SPDX-License-Identifier: BSD-3-Clause
//
// What the boot ROM loads from the first 256 bytes of the flash, whose last four are a checksum (2.8.1.3.1): it lets
// the processor read the flash by its plain command 03h, which every chip knows, and goes on at the vector table.
// RP2040 datasheet, 4.10 (SSI).

.syntax unified
.cpu cortex-m0plus
.thumb
.section .boot2, "ax"

.equ SSI, 0x18000000
.equ CTRLR0, 0x00
.equ CTRLR1, 0x04
.equ SSIENR, 0x08
.equ BAUDR, 0x14
.equ SPI_CTRLR0, 0xF4

  ldr r3, =SSI
  movs r1, #0
  str r1, [r3, #SSIENR]     // its settings change only while it is off
  movs r1, #2
  str r1, [r3, #BAUDR]      // half of the system clock, which is still slow: at most 12 MHz (2.17)
  ldr r1, =0x001F0300       // frames of 32 bits, read after an instruction
  str r1, [r3, #CTRLR0]
  movs r1, #0
  str r1, [r3, #CTRLR1]     // one frame for each read
  ldr r1, =0x03000218       // command 03h of 8 bits, an address of 24
  ldr r0, =SSI + SPI_CTRLR0
  str r1, [r0]
  movs r1, #1
  str r1, [r3, #SSIENR]
  ldr r0, =0x10000100
  ldr r1, =0xE000ED08       // the address of the vector table
  str r0, [r1]
  ldmia r0, {r0, r1}
  msr msp, r0
  bx r1
.ltorg
