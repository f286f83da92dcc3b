/* The list of pending interrupts. The longest time with interrupts off, and the longest without a look at the pins
   meanwhile: each instruction runs by itself for that, so this is done only when it is asked for.
   Under GPL-3.0-or-later, as libsimavr is, which it links; not part of the wheel. */

#include "sim.h"

DEFINE_FIFO(avr_int_vector_p, avr_int_pending);

/* libsimavr lists a vector at each raise, and drops it from the list only when it looks for an interrupt to run. A
   program that clears the flags of pins in a storm with interrupts off fills the list. What is raised then is never
   run. So list each vector once. */
void list_pending_once(sim_t *s) {
    enum { MANY = 16 };
    avr_int_pending_t *list = &s->avr->interrupts.pending;
    int count = avr_int_pending_get_read_size(list), kept = 0;
    if (count < MANY) return;
    avr_int_vector_p once[count];
    for (int at = 0; at < count; at++) {
        avr_int_vector_p vector = avr_int_pending_read(list);
        int known = !vector->pending;
        for (int other = 0; other < kept; other++) known |= once[other] == vector;
        if (!known) once[kept++] = vector;
    }
    for (int at = 0; at < kept; at++) avr_int_pending_write(list, once[at]);
}

static void begin_span(sim_t *s, span_t *span, uint32_t at) {
    span->since = s->avr->cycle;
    span->at = at;
}
static void end_span(sim_t *s, span_t *span, uint32_t at) {
    uint64_t cycles = s->avr->cycle - span->since;
    if (cycles <= span->longest) return;
    span->longest = cycles;
    span->began = span->at;
    span->ended = at;
}
/* The flags of pins were read or written: changes up to now are not lost. */
void pins_polled(sim_t *s) {
    avr_t *a = s->avr;
    if (!s->measures || a->sreg[S_I]) return;
    end_span(s, &s->unpolled, a->pc);
    begin_span(s, &s->unpolled, a->pc);
}
static uint8_t on_flags_read(avr_t *a, avr_io_addr_t address, void *p) {
    pins_polled(p);
    return a->data[address];
}
/* One instruction, and perhaps the interrupt behind it. */
int run_measured(sim_t *s) {
    avr_t *a = s->avr;
    uint32_t at = a->pc;
    int were_on = a->sreg[S_I];
    int state = avr_run(a);
    if (were_on && !a->sreg[S_I]) {
        uint32_t began = a->pc == at + 2 ? at : a->pc;     /* cli, or the vector of an interrupt */
        begin_span(s, &s->off, began);
        begin_span(s, &s->unpolled, began);
    } else if (!were_on && a->sreg[S_I]) {
        end_span(s, &s->off, at);
        end_span(s, &s->unpolled, at);
    }
    return state;
}
void interrupts_begin(sim_t *s) {
    for (int port = 0; port < PORTS; port++)
        if (s->port[port] && s->port[port]->pcint.raised.reg)
            avr_register_io_read(s->avr, s->port[port]->pcint.raised.reg, on_flags_read, s);
}
void interrupts_after_reset(sim_t *s) { s->measures = 0; }

/* A reset ends the measurement; what was found can still be read. */
void sim_measure_interrupts(sim_t *s) {
    s->off = s->unpolled = (span_t){0};
    begin_span(s, &s->off, s->avr->pc);
    begin_span(s, &s->unpolled, s->avr->pc);
    s->measures = 1;
    s->avr->run_cycle_count = s->avr->run_cycle_limit = ONE_INSTRUCTION;
}
uint64_t sim_interrupts_off(sim_t *s, int unpolled, uint32_t *began, uint32_t *ended) {
    span_t *span = unpolled ? &s->unpolled : &s->off;
    *began = span->began;
    *ended = span->ended;
    return span->longest;
}
