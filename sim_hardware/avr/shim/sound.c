/* What is heard of a speaker: a frequency when two windows of some periods agree on it, and when it is silent.
   Reading every edge from outside would cost more than the whole simulation of the chip.
   Under GPL-3.0-or-later, as libsimavr is, which it links; not part of the wheel. */

#include "sim.h"

enum { LONGEST_PERIOD_MS = 50, WINDOW_MS = 2 };

static uint64_t cycles_of_ms(sim_t *s, uint32_t ms) { return (uint64_t)s->avr->frequency / 1000 * ms; }
static void tell(pin_t *p, uint64_t since, uint32_t value) {
    if (value == p->hz) return;
    p->hz = value;
    push(p->sim, since, TONE, p->id, (int)value);
}
static uint64_t patience(pin_t *p) {                       /* how long after an edge it is silent */
    uint64_t longest = cycles_of_ms(p->sim, LONGEST_PERIOD_MS);
    uint64_t usual = p->reading ? p->sim->avr->frequency / p->reading * 3 / 2 : longest;
    return usual < longest ? usual : longest;
}
static uint32_t frequency(pin_t *p, uint64_t cycles) {
    return (uint32_t)(((uint64_t)p->sim->avr->frequency * p->periods + cycles / 2) / cycles);
}
static void fall_silent(pin_t *p) {
    if (p->hz < 2 && p->periods)                           /* too short for two windows that agree */
        tell(p, p->onset, frequency(p, p->rise - p->start));
    if (!p->hz) tell(p, p->onset, 1);                      /* not a tone at all: it was switched */
    if (!p->level) tell(p, p->edge, 0);
    p->reading = p->periods = 0;
    p->start = 0;
}
static avr_cycle_count_t on_silence(avr_t *a, avr_cycle_count_t when, void *param) {
    pin_t *p = param;
    if (a->cycle < p->edge + patience(p)) return p->edge + patience(p);
    fall_silent(p);
    return 0;
}
static int agree(uint32_t one, uint32_t other) { return one && abs((int32_t)(one - other)) * 100 <= (int32_t)other; }
void hear_edge(pin_t *p, int level) {
    avr_t *a = p->sim->avr;
    uint64_t now = a->cycle;
    if (level && p->start && now > p->edge + patience(p)) {    /* the timer was set with more patience */
        p->level = 0;
        fall_silent(p);
        p->level = 1;
    }
    p->edge = now;
    if (!level) {
        if (!p->start) tell(p, now, 0);                    /* it was on for long */
        return;
    }
    p->rise = now;
    if (!p->start) {
        p->start = p->onset = now;
        avr_cycle_timer_register(a, patience(p), on_silence, p);
        return;
    }
    p->periods++;
    if (p->periods < 2 || now - p->start < cycles_of_ms(p->sim, WINDOW_MS)) return;
    uint32_t heard = frequency(p, now - p->start);
    if (p->hz < 2 || !agree(p->hz, heard)) {
        if (agree(p->reading, heard)) tell(p, p->onset, heard);
        else if (p->reading && p->hz > 1) p->onset = p->start;    /* it is changing: not before this window */
    }
    p->reading = heard;
    p->start = now;
    p->periods = 0;
}

void hear_after_reset(pin_t *p) {
    if (p->start) avr_cycle_timer_register(p->sim->avr, patience(p), on_silence, p);
}
