// SPDX-License-Identifier: BSD-3-Clause
//
// The vector table, and what runs before and around the main loop. The loader copies the program from the flash into
// RAM (memory.ld): there every instruction takes the same time, and the flash may be written.

#include "board.h"
#include "rp2040.h"

extern "C" {

extern uint32_t stack_top[], program_start[], program_end[], program_in_flash[], zeroed_start[], zeroed_end[];

void on_pins();
void on_queue_alarm();
void on_wrap_alarm();
void on_voice_0();
void on_voice_1();
void on_pend_sv();
void on_systick();

[[noreturn]] void run() __attribute__((used));
void run() {
  hal::begin();
  board::begin();
  for (;;) {
    hal::kick_watchdog();
    hal::serve_port();
    if (board::poll()) hal::sleep();  // interrupts and the scheduler execute reflexes, pulses and tones meanwhile
  }
}

// A fault of the program, or an interrupt that nothing has enabled.
[[noreturn]] void on_fault() { hal::restart(); }

// An image has one of the two ports.
__attribute__((weak)) void on_usb() { on_fault(); }
__attribute__((weak)) void on_uart() { on_fault(); }

// The first instructions, in flash: copy the program, then go there. No function of the program may be called before.
[[noreturn]] void on_reset() __attribute__((section(".loader"), naked));
void on_reset() {
  asm volatile(
      "ldr r0, =program_in_flash\n ldr r1, =program_start\n ldr r2, =program_end\n"
      "1: cmp r1, r2\n bhs 2f\n ldmia r0!, {r3}\n stmia r1!, {r3}\n b 1b\n"
      "2: ldr r1, =zeroed_start\n ldr r2, =zeroed_end\n movs r3, #0\n"
      "3: cmp r1, r2\n bhs 4f\n stmia r1!, {r3}\n b 3b\n"
      "4: ldr r0, =vectors\n ldr r1, =0xE000ED08\n str r0, [r1]\n"
      "ldr r0, =run\n bx r0\n .ltorg\n");
}

using Handler = void (*)();

// The processor's exceptions 1 to 15 (2.4.3), then the chip's interrupts 0 to 25 (2.3.2).
struct Vectors {
  uint32_t* stack;
  Handler exceptions[15];
  Handler interrupts[26];
};

#define NONE_3 on_fault, on_fault, on_fault

// The table for the loader, at the start of the flash behind boot2, and that of the program.
extern const Vectors first_vectors __attribute__((section(".first_vectors"), used)) = {stack_top, {on_reset}, {}};
extern const Vectors vectors __attribute__((section(".vectors"), used)) = {
    stack_top,
    {on_reset, NONE_3, NONE_3, NONE_3, NONE_3, on_pend_sv, on_systick},
    {on_queue_alarm, on_wrap_alarm, on_voice_0, on_voice_1, on_fault, on_usb, on_fault, NONE_3, NONE_3, on_pins, NONE_3,
     NONE_3, on_uart, on_fault, on_fault, NONE_3},
};

}  // extern "C"
