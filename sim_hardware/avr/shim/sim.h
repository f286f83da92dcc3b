/* A chip of libsimavr, driven from outside in exact steps: bytes and levels in, events with their cycle out.

   libsimavr is under the GNU General Public License, version 3, and so is what links it: these files are under
   GPL-3.0-or-later, are compiled on the user's machine when they are first needed, and are not part of the wheel.

   Most of what is here mends libsimavr 1.6 from outside (each point was measured against it):
     - a byte takes ten bit times, not eleven; the receiver holds three bytes, not 64, and loses what comes on top
     - low levels on INTn pins cost nothing (they were polled every cycle); the timers' phase-correct modes exist
     - a one written to a timer's flag clears that flag, not the others that wait
     - a level that the world puts on a pin stays, whatever the program writes to that port's pull-ups
     - a pin that is no output has the level of its resistor; after a reset every pin starts anew
     - ports E, J and K of a Mega have pin-change interrupts
     - a watchdog whose interrupt cannot run resets the chip; memory is noise when the power comes
   A run ends at the end of the instruction in which something happened, never later. */

#ifndef SIM_H
#define SIM_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <simavr/sim_cycle_timers.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/avr_watchdog.h>

enum { BYTE, LEVEL, TONE, RESET, OVERRUN, CRASH };
enum { PORTS = 12, MOST_EVENTS = 256, MOST_BYTES = 32 };

/* Limits of the core's inner loop, which an instruction may not prolong. A reset in it leaves another one. */
#define NO_LIMIT (1ull << 40)
#define ONE_INSTRUCTION 1

typedef struct { uint64_t cycle; uint8_t kind, pin; uint16_t value; } event_t;

typedef struct sim sim_t;
/* One pin: what the program does to it, and what is heard of it if it is a speaker's. */
typedef struct {
    sim_t *sim;
    avr_irq_t *irq;
    uint8_t watched, id, rest, level, ear;
    uint64_t edge, rise, start;        /* the last edge, the last rise, the one that began the present window */
    uint32_t periods, reading, hz;     /* periods in the window; the last window's frequency; the one reported */
    uint64_t onset;                    /* when what `reading` describes began */
    uint8_t joined, to_port, to_bit;   /* a jumper to another pin */
} pin_t;

/* A span that may be under way, and the longest of those that have ended; addresses are bytes of the flash. */
typedef struct {
    uint64_t since, longest;
    uint32_t at, began, ended;
} span_t;

/* A level that the world will put on a pin; when it has done so, `cycle` is when. */
typedef struct { uint64_t cycle; uint8_t port, bit, level; } change_t;

struct sim {
    avr_t *avr;
    avr_uart_t *uart;
    avr_watchdog_t *watchdog;
    avr_irq_t *uart_in;
    avr_ioport_t *port[PORTS];
    pin_t pin[PORTS][8];
    uint8_t driven[PORTS], levels[PORTS];
    change_t *change;                  /* the next of the changes that are still to come */
    size_t changes;
    uint32_t line_byte;                /* the cycles that a byte takes on the host's side of the line */
    uint64_t noise, wire_free;
    uint8_t rx[1 << 16];
    uint16_t rx_head, rx_tail;
    int receiving, reached;
    uint8_t life;                      /* how often it has been reset */
    event_t event[MOST_EVENTS];
    size_t events;
    int stop;                          /* something happened that cannot wait */
    int measures;                      /* the two spans below, by single instructions */
    span_t off, unpolled;              /* interrupts off; off and no look at the pins either */
};

void push(sim_t *s, uint64_t cycle, int kind, int pin, int value);
void serial_begin(sim_t *s);
void serial_after_reset(sim_t *s);
void mega_begin(sim_t *s);
void pins_begin(sim_t *s);
void pins_after_reset(sim_t *s);
void list_pending_once(sim_t *s);
void pins_polled(sim_t *s);
int run_measured(sim_t *s);
void interrupts_begin(sim_t *s);
void interrupts_after_reset(sim_t *s);
void hear_edge(pin_t *p, int level);
void hear_after_reset(pin_t *p);
void sim_pin(sim_t *s, int port, int bit, int level);

#endif
