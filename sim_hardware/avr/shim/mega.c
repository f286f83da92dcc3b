/* The pin-change interrupts of a Mega's ports E, J and K, which libsimavr 1.6 lacks. ATmega2560 data sheet, 15.2: the
   second group has PE0 and PJ0 to PJ6, the third has port K.
   Under GPL-3.0-or-later, as libsimavr is, which it links; not part of the wheel. */

#include "sim.h"

#include <simavr/sim_interrupts.h>

enum { PCIFR = 0x3b, PCICR = 0x68, PCMSK1 = 0x6c, PCMSK2 = 0x6d };    /* their addresses as data */
enum { PCINT1_VECTOR = 10, PCINT2_VECTOR = 11 };

static avr_ioport_t *port(sim_t *s, char name) { return s->port[name - 'A']; }

static void raise_second(sim_t *s, int bit) {
    if (s->avr->data[PCMSK1] >> bit & 1) avr_raise_interrupt(s->avr, &port(s, 'J')->pcint);
}
static void on_e0(struct avr_irq_t *irq, uint32_t value, void *param) { raise_second(param, 0); }
static void on_j(struct avr_irq_t *irq, uint32_t value, void *param) { raise_second(param, (int)irq->irq + 1); }

static void add_group(sim_t *s, char name, uint8_t vector, int bit) {
    avr_int_vector_t *interrupt = &port(s, name)->pcint;
    interrupt->vector = vector;
    interrupt->enable = (avr_regbit_t)AVR_IO_REGBIT(PCICR, bit);
    interrupt->raised = (avr_regbit_t)AVR_IO_REGBIT(PCIFR, bit);
    avr_register_vector(s->avr, interrupt);
}
void mega_begin(sim_t *s) {
    if (!port(s, 'K')) return;                             /* no Mega */
    add_group(s, 'J', PCINT1_VECTOR, 1);
    add_group(s, 'K', PCINT2_VECTOR, 2);
    port(s, 'K')->r_pcint = PCMSK2;                        /* libsimavr does the rest: bit n of the mask is PKn */
    avr_irq_register_notify(port(s, 'E')->io.irq, on_e0, s);
    for (int bit = 0; bit < 7; bit++) avr_irq_register_notify(port(s, 'J')->io.irq + bit, on_j, s);
}
