/* Pins: what the program drives, what the world holds.
   Under GPL-3.0-or-later, as libsimavr is, which it links; not part of the wheel. */

#include "sim.h"

static void drive(pin_t *p, int level) {
    if (level == p->level) return;                         /* a timer's pins are told twice */
    p->level = (uint8_t)level;
    if (p->joined) sim_pin(p->sim, p->to_port, p->to_bit, level);
    if (p->ear) hear_edge(p, level);
    else push(p->sim, p->sim->avr->cycle, LEVEL, p->id, level);
}
static void on_pin(struct avr_irq_t *irq, uint32_t value, void *param) {
    pin_t *p = param;
    avr_ioport_t *port = p->sim->port[(p - p->sim->pin[0]) / 8];
    if (p->sim->avr->data[port->r_ddr] >> (p - p->sim->pin[0]) % 8 & 1) drive(p, value & 1);
}
static void on_direction(struct avr_irq_t *irq, uint32_t value, void *param) {
    pin_t *pins = param;                                   /* the eight of a port */
    sim_t *s = pins->sim;
    uint8_t port = s->avr->data[s->port[(pins - s->pin[0]) / 8]->r_port];
    for (int bit = 0; bit < 8; bit++)
        if (pins[bit].watched) drive(&pins[bit], value >> bit & 1 ? port >> bit & 1 : pins[bit].rest);
}
void sim_watch(sim_t *s, int port, int bit, int id, int rest, int ear) {
    pin_t *p = &s->pin[port][bit];
    p->id = (uint8_t)id;
    p->rest = p->level = (uint8_t)rest;
    p->ear = (uint8_t)ear;
    if (!p->watched) avr_irq_register_notify(p->irq, on_pin, p);
    p->watched = 1;
}
void sim_pin(sim_t *s, int port, int bit, int level) {
    uint8_t mask = (uint8_t)(1 << bit);
    s->driven[port] |= mask;
    s->levels[port] = (uint8_t)(level ? s->levels[port] | mask : s->levels[port] & ~mask);
    avr_ioport_external_t held = {.name = 'A' + port, .mask = s->driven[port], .value = s->levels[port]};
    avr_ioctl(s->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('A' + port), &held);
    list_pending_once(s);
    avr_raise_irq(s->pin[port][bit].irq, level);
}
/* Several changes may be due at the end of one instruction: the program sees the last level, and the flags of all. */
static avr_cycle_count_t on_change(avr_t *a, avr_cycle_count_t when, void *param) {
    sim_t *s = param;
    for (; s->changes && s->change->cycle <= a->cycle; s->changes--, s->change++) {
        sim_pin(s, s->change->port, s->change->bit, s->change->level);
        s->change->cycle = a->cycle;
    }
    return s->changes ? s->change->cycle : 0;
}
static void go_on_playing(sim_t *s) {
    uint64_t now = s->avr->cycle;
    avr_cycle_timer_cancel(s->avr, on_change, s);
    if (s->changes) avr_cycle_timer_register(s->avr, s->change->cycle > now ? s->change->cycle - now : 1, on_change, s);
}
/* Changes in the order of their cycles, in place of those that are still to come; they stay the caller's. */
void sim_play(sim_t *s, change_t *changes, size_t count) {
    s->change = changes;
    s->changes = count;
    go_on_playing(s);
}
/* A jumper from a watched pin to another one, which takes its level in the same cycle. */
void sim_join(sim_t *s, int port, int bit, int to_port, int to_bit) {
    pin_t *p = &s->pin[port][bit];
    p->to_port = (uint8_t)to_port;
    p->to_bit = (uint8_t)to_bit;
    p->joined = 1;
    sim_pin(s, to_port, to_bit, p->level);
}
/* Take the jumper away: the pin at its other end is held by nothing but its pull-up. */
void sim_part(sim_t *s, int port, int bit) {
    pin_t *p = &s->pin[port][bit];
    if (!p->joined) return;
    p->joined = 0;
    sim_pin(s, p->to_port, p->to_bit, 1);
    s->driven[p->to_port] &= (uint8_t)~(1 << p->to_bit);
    avr_ioport_external_t held = {.name = 'A' + p->to_port, .mask = s->driven[p->to_port], .value = s->levels[p->to_port]};
    avr_ioctl(s->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('A' + p->to_port), &held);
}

void pins_begin(sim_t *s) {
    for (int port = 0; port < PORTS; port++) {
        if (!s->port[port]) continue;
        avr_irq_t *irq = s->port[port]->io.irq;
        for (int bit = 0; bit < 8; bit++) s->pin[port][bit] = (pin_t){.sim = s, .irq = irq + bit};
        avr_irq_register_notify(irq + IOPORT_IRQ_DIRECTION_ALL, on_direction, s->pin[port]);
    }
}

void pins_after_reset(sim_t *s) {
    go_on_playing(s);
    for (int port = 0; port < PORTS; port++) {
        if (!s->port[port]) continue;
        s->port[port]->io.irq[IOPORT_IRQ_DIRECTION_ALL].flags |= IRQ_FLAG_INIT;
        for (int bit = 0; bit < 8; bit++) {
            pin_t *p = &s->pin[port][bit];
            p->irq->flags |= IRQ_FLAG_INIT;
            if (s->driven[port] >> bit & 1) avr_raise_irq(p->irq, s->levels[port] >> bit & 1);
            if (!p->watched) continue;
            if (p->ear) hear_after_reset(p);
            drive(p, p->rest);
        }
    }
}
