// SPDX-License-Identifier: BSD-3-Clause
//
// The registers of the RP2040 that this target uses. Numbers in comments are chapters of the RP2040 datasheet.

#pragma once

#include <stdint.h>

namespace registers {

// Writing to a peripheral's register through one of these aliases changes some of its bits in one step (2.1.2).
constexpr uint32_t SET = 0x2000, CLEAR = 0x3000;

inline volatile uint32_t& at(uint32_t address) { return *reinterpret_cast<volatile uint32_t*>(address); }

// 2.3.1 SIO: the pins. It has registers of its own that set, clear or toggle bits.
constexpr uint32_t GPIO_IN = 0xD0000004, GPIO_OUT = 0xD0000010, GPIO_OUT_SET = 0xD0000014, GPIO_OUT_CLEAR = 0xD0000018,
                   GPIO_OUT_TOGGLE = 0xD000001C, GPIO_OUTPUT_SET = 0xD0000024, GPIO_OUTPUT_CLEAR = 0xD0000028;

// 2.19 GPIO: what a pin is used for, and its interrupts: four bits for each pin, eight pins in each register.
constexpr uint32_t IO_BANK = 0x40014000, PADS = 0x4001C004;
inline volatile uint32_t& pin_function(uint8_t pin) { return at(IO_BANK + 8 * pin + 4); }
inline volatile uint32_t& pad(uint8_t pin) { return at(PADS + 4 * pin); }
inline volatile uint32_t& pin_changes(uint8_t port) { return at(IO_BANK + 0xF0 + 4 * port); }
constexpr uint32_t PIN_ENABLES = IO_BANK + 0x100, PIN_INTERRUPTS = IO_BANK + 0x120;
constexpr uint32_t USED_BY_UART = 2, USED_BY_SIO = 5, USED_BY_NOTHING = 31;
constexpr uint32_t PAD_OUTPUT_OFF = 1 << 7, PAD_INPUT = 1 << 6, PAD_SCHMITT = 1 << 1, PAD_4_MA = 1 << 4;

// 2.14 Subsystem resets.
constexpr uint32_t RESET = 0x4000C000, RESET_DONE = 0x4000C008;
constexpr uint32_t RESET_IO_BANK = 1 << 5, RESET_PADS = 1 << 8, RESET_PLL_SYS = 1 << 12, RESET_PLL_USB = 1 << 13,
                   RESET_TIMER = 1 << 21, RESET_UART = 1 << 22, RESET_USB = 1 << 24, RESET_ADC = 1 << 0,
                   RESET_PIO = 1 << 10;

// 2.13 Power-on state machine: what the watchdog resets, and why the chip was reset (2.12).
constexpr uint32_t WATCHDOG_RESETS = 0x40010008, ALL_BUT_OSCILLATORS = 0x1FFFC, CHIP_RESET = 0x40064008;
constexpr uint32_t HAD_POWER_ON = 1 << 8;

// 2.10 Voltage regulator of the core.
constexpr uint32_t REGULATOR = 0x40064000, REGULATOR_1_15_V = 12 << 4 | 1;

// 2.16 Crystal oscillator, 2.18 PLL, 2.15 Clocks.
constexpr uint32_t XOSC_CONTROL = 0x40024000, XOSC_STATUS = 0x40024004, XOSC_STARTUP = 0x4002400C;
constexpr uint32_t XOSC_STABLE = 1U << 31, XOSC_ENABLE = 0xFABAA0;
constexpr uint32_t PLL_SYS = 0x40028000, PLL_USB = 0x4002C000;
constexpr uint32_t PLL_STATUS = 0x0, PLL_POWER = 0x4, PLL_FEEDBACK = 0x8, PLL_DIVIDERS = 0xC, PLL_LOCKED = 1U << 31;
constexpr uint32_t PLL_OFF = 1 << 0, PLL_DIVIDERS_OFF = 1 << 3, PLL_OSCILLATOR_OFF = 1 << 5;
constexpr uint32_t REFERENCE_CONTROL = 0x40008030, REFERENCE_SELECTED = 0x40008038, SYSTEM_CONTROL = 0x4000803C,
                   SYSTEM_SELECTED = 0x40008044, PERIPHERAL_CONTROL = 0x40008048, USB_CLOCK_CONTROL = 0x40008054,
                   ADC_CLOCK_CONTROL = 0x40008060;

// 4.7 Watchdog, which also makes the ticks of the timer (4.7.2).
constexpr uint32_t WATCHDOG_CONTROL = 0x40058000, WATCHDOG_LOAD = 0x40058004, WATCHDOG_REASON = 0x40058008,
                   WATCHDOG_MARK = 0x4005800C, WATCHDOG_TICK = 0x4005802C;
constexpr uint32_t WATCHDOG_ENABLE = 1 << 30, WATCHDOG_TRIGGER = 1U << 31, TICK_ENABLE = 1 << 9;

// 4.6 Timer: it counts microseconds, and has four alarms.
constexpr uint32_t ALARMS = 0x40054010, TIME_LOW = 0x40054028, ALARM_RAISED = 0x40054034, ALARM_ENABLE = 0x40054038,
                   ALARM_FORCE = 0x4005403C;

// 4.2 UART.
constexpr uint32_t UART_DATA = 0x40034000, UART_FLAGS = 0x40034018, UART_DIVISOR = 0x40034024,
                   UART_FRACTION = 0x40034028, UART_LINE = 0x4003402C, UART_CONTROL = 0x40034030,
                   UART_LEVELS = 0x40034034, UART_INTERRUPTS = 0x40034038, UART_CLEAR = 0x40034044;
constexpr uint32_t UART_NOTHING_RECEIVED = 1 << 4, UART_IS_FULL = 1 << 5;
constexpr uint32_t UART_RECEIVED = 1 << 4, UART_HAS_ROOM = 1 << 5, UART_WAITED = 1 << 6;

// 2.8.3 Boot ROM: where it has the addresses, of 16 bits, of its table of functions and of what looks into it.
constexpr uint32_t ROM_FUNCTIONS = 0x14, ROM_FIND = 0x18;

// 4.1 USB: its registers; and its memory (4.1.2.5), where a buffer of 64 bytes has a word that says what is in it.
constexpr uint32_t USB_ADDRESS = 0x50110000, USB_CONTROL = 0x50110040, USB_FRAME = 0x50110048, USB_LINE = 0x5011004C,
                   USB_STATUS = 0x50110050, USB_DONE = 0x50110058, USB_STALL_CONTROL = 0x50110068,
                   USB_MUXING = 0x50110074, USB_POWER = 0x50110078, USB_RAISED = 0x5011008C, USB_ENABLES = 0x50110090,
                   USB_CAUSES = 0x50110098;
constexpr uint32_t USB_ENABLE = 1 << 0, USB_CONTROL_INTERRUPTS = 1 << 29, USB_PULL_UP = 1 << 16;
constexpr uint32_t USB_TO_PHY = 1 << 0, USB_SOFT_CONNECT = 1 << 3, USB_VBUS_IS_THERE = 3 << 2;
constexpr uint32_t USB_GOT_SETUP = 1 << 17, USB_GOT_RESET = 1 << 19;
constexpr uint32_t USB_BUFFERS = 1 << 4, USB_BUS_RESET = 1 << 12, USB_SETUP = 1 << 16, USB_FRAME_START = 1 << 17;
constexpr uint32_t USB_MEMORY = 0x50100000, USB_BUFFER_CONTROL = USB_MEMORY + 0x80;
constexpr uint32_t USB_ENDPOINT_ENABLE = 1U << 31, USB_ENDPOINT_INTERRUPTS = 1 << 29, USB_ENDPOINT_BULK = 2 << 26,
                   USB_ENDPOINT_INTERRUPT = 3 << 26;
constexpr uint32_t USB_AVAILABLE = 1 << 10, USB_STALL = 1 << 11, USB_DATA_1 = 1 << 13, USB_FULL = 1 << 15,
                   USB_LENGTH = 0x3FF;

// 4.9 ADC: it has an input for each pin from FIRST_ANALOG_PIN on.
constexpr uint32_t ADC_CONTROL = 0x4004C000, ADC_RESULT = 0x4004C004;
constexpr uint32_t ADC_ON = 1 << 0, ADC_START = 1 << 2, ADC_IS_READY = 1 << 8, FIRST_ANALOG_PIN = 26;
constexpr uint8_t ADC_INPUT_SHIFT = 12;

// Chapter 3, PIO 0: its four state machines share a memory of 32 instructions. Each has registers of its own.
constexpr uint32_t PIO = 0x50200000, PIO_CONTROL = PIO, PIO_STATUS = PIO + 4, PIO_INSTRUCTIONS = PIO + 0x48;
inline volatile uint32_t& pio_received(uint8_t machine) { return at(PIO + 0x20 + 4 * machine); }
inline volatile uint32_t& pio_machine(uint8_t machine, uint32_t offset) {
  return at(PIO + 0xC8 + 0x18 * machine + offset);
}
constexpr uint32_t PIO_EXECUTION = 0x4, PIO_SHIFTS = 0x8, PIO_EXECUTE = 0x10, PIO_PINS = 0x14;
constexpr uint8_t PIO_RESTART_SHIFT = 4, PIO_HAS_RECEIVED_NONE_SHIFT = 8, PIO_WRAP_SHIFT = 12,
                  PIO_WRAP_TARGET_SHIFT = 7, PIO_FIRST_INPUT_SHIFT = 15;
constexpr uint8_t PIO_MACHINES = 4, PIO_FIFO = 4;

// 4.10 SSI, which reads the flash; and the pin that selects that chip (2.19.2).
constexpr uint32_t FLASH = 0x10000000;
constexpr uint32_t SSI_CONTROL = 0x18000000, SSI_ENABLE = 0x18000008, SSI_SELECT = 0x18000010, SSI_DIVISOR = 0x18000014,
                   SSI_STATUS = 0x18000028, SSI_DATA = 0x18000060, FLASH_SELECT_PIN = 0x4001800C;
constexpr uint32_t SSI_HAS_RECEIVED = 1 << 3, FORCE_LOW = 2 << 8, FORCE_HIGH = 3 << 8;

// 2.4.5 and 2.4.8: the interrupts of the processor, and of the core.
constexpr uint32_t INTERRUPT_ENABLE = 0xE000E100, INTERRUPT_STATE = 0xE000ED04, VECTORS = 0xE000ED08,
                   SYSTEM_PRIORITIES = 0xE000ED20;
constexpr uint32_t SYSTICK_CONTROL = 0xE000E010, SYSTICK_RELOAD = 0xE000E014, SYSTICK_VALUE = 0xE000E018;
constexpr uint32_t SYSTICK_ON = 7;  // it counts cycles of the processor, with its interrupt
constexpr uint32_t PEND_SV = 1 << 28, PEND_SV_LOWEST = 0xC0 << 16;
enum Interrupt : uint8_t { TIMER_0, TIMER_1, TIMER_2, TIMER_3, USB = 5, PINS = 13, UART = 20 };

}  // namespace registers
