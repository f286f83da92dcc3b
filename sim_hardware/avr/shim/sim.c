/* The chip itself: power, resets, the watchdog, and time.
   Under GPL-3.0-or-later, as libsimavr is, which it links; not part of the wheel. */

#include "sim.h"

#include <stdarg.h>

#include <simavr/sim_elf.h>
#include <simavr/sim_interrupts.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_timer.h>

/* A byte within a frame can wait for the one that ends it: stopping for each would take most of the time. */
void push(sim_t *s, uint64_t cycle, int kind, int pin, int value) {
    if (s->events < MOST_EVENTS) s->event[s->events++] = (event_t){cycle, (uint8_t)kind, (uint8_t)pin, (uint16_t)value};
    if (kind == BYTE && value && s->events < MOST_BYTES) return;
    s->stop = 1;
    s->avr->run_cycle_count = 0;       /* leave the core's inner loop now */
}
static void be_quiet(avr_t *a, const int level, const char *format, va_list values) {}
static void do_not_sleep(avr_t *a, avr_cycle_count_t cycles) {}
/* It stays set, one cycle ahead: a program that goes to sleep in this very instruction would sleep past it. */
static avr_cycle_count_t on_reached(avr_t *a, avr_cycle_count_t when, void *p) {
    ((sim_t *)p)->reached = 1;
    return a->cycle + 1;
}

static void mend(avr_t *a) {
    for (int i = 0; i < 8; i++) avr_extint_set_strict_lvl_trig(a, i, 0);
    for (avr_io_t *io = a->io_port; io; io = io->next)
        if (!strcmp(io->kind, "timer"))
            for (int i = 1; i < 16; i++) {
                avr_timer_wgm_t *mode = &((avr_timer_t *)io)->wgm_op[i];
                if (mode->kind == avr_timer_wgm_none) { mode->kind = avr_timer_wgm_fc_pwm; mode->size = 8; }
            }
    a->run_cycle_limit = NO_LIMIT;
}
static void on_flags(avr_t *a, avr_io_addr_t address, uint8_t ones, void *p) {
    avr_timer_t *t = p;
    if (avr_regbit_from_value(a, t->overflow.raised, ones)) avr_clear_interrupt(a, &t->overflow);
    if (avr_regbit_from_value(a, t->icr.raised, ones)) avr_clear_interrupt(a, &t->icr);
    for (int i = 0; i < AVR_TIMER_COMP_COUNT; i++)
        if (avr_regbit_from_value(a, t->comp[i].interrupt.raised, ones)) avr_clear_interrupt(a, &t->comp[i].interrupt);
}
static void mend_flags(avr_t *a) {                         /* instead of libsimavr's handler, which clears all of them */
    for (avr_io_t *io = a->io_port; io; io = io->next) {
        if (strcmp(io->kind, "timer")) continue;
        avr_io_addr_t place = AVR_DATA_TO_IO(((avr_timer_t *)io)->overflow.raised.reg);
        a->io[place].w.c = on_flags;
        a->io[place].w.param = io;
    }
}
/* Ones put the flags of pins that have changed off, and the EEPROM asks for its interrupt for as long as it is ready. */
static void on_pin_flags(avr_t *a, avr_io_addr_t address, uint8_t ones, void *p) {
    pins_polled(p);
    for (int i = 0; i < a->interrupts.vector_count; i++) {
        avr_int_vector_t *vector = a->interrupts.vector[i];
        if (vector->raised.reg == address && avr_regbit_from_value(a, vector->raised, ones)) avr_clear_interrupt(a, vector);
    }
}
static void on_eeprom(avr_t *a, avr_io_addr_t address, uint8_t value, void *p) {
    avr_eeprom_t *e = p;
    if (avr_regbit_get(a, e->ready.enable) && !avr_regbit_get(a, e->eepe)) avr_raise_interrupt(a, &e->ready);
}
static void mend_interrupts(sim_t *s) {
    avr_t *a = s->avr;
    for (avr_io_t *io = a->io_port; io; io = io->next) {
        if (!strcmp(io->kind, "eeprom")) avr_register_io_write(a, ((avr_eeprom_t *)io)->r_eecr, on_eeprom, io);
        if (strcmp(io->kind, "port") && strcmp(io->kind, "extint")) continue;
        int port = *io->kind == 'p';
        avr_int_vector_t *vector = port ? &((avr_ioport_t *)io)->pcint : &((avr_extint_t *)io)->eint[0].vector;
        if (vector->raised.reg) avr_register_io_write(a, vector->raised.reg, on_pin_flags, s);
    }
}
static avr_cycle_count_t on_bite(avr_t *a, avr_cycle_count_t when, void *p) {
    avr_watchdog_t *w = ((sim_t *)p)->watchdog;
    if (w->watchdog.pending) avr_regbit_clear(a, w->watchdog.enable);    /* now its second time-out resets the chip */
    return 0;
}
static void on_bark(struct avr_irq_t *irq, uint32_t pending, void *p) {
    sim_t *s = p;
    if (pending && avr_regbit_get(s->avr, s->watchdog->wde))
        avr_cycle_timer_register(s->avr, s->watchdog->cycle_count - 16, on_bite, s);
    else
        avr_cycle_timer_cancel(s->avr, on_bite, s);
}
static void after_reset(sim_t *s) {                        /* libsimavr has forgotten its timers and its pins */
    mend(s->avr);
    push(s, s->avr->cycle, RESET, ++s->life, s->avr->data[s->watchdog->wdrf.reg]);
    serial_after_reset(s);
    pins_after_reset(s);
    interrupts_after_reset(s);
}
static void fill_with_noise(sim_t *s) {
    for (int at = s->avr->ioend + 1; at <= s->avr->ramend; at++) {
        s->noise = s->noise * 6364136223846793005ull + 1442695040888963407ull;
        s->avr->data[at] = (uint8_t)(s->noise >> 56);
    }
}
void sim_reset(sim_t *s, int cause, int power) {           /* cause: bits of MCUSR */
    uint8_t register_ = s->avr->data[s->watchdog->wdrf.reg];
    avr_reset(s->avr);
    if (power) { fill_with_noise(s); register_ = 0; }
    s->avr->data[s->watchdog->wdrf.reg] = register_ | (uint8_t)cause;
    after_reset(s);
}

void sim_free(sim_t *s) {
    if (!s) return;
    if (s->avr) { avr_terminate(s->avr); free(s->avr); }
    free(s);
}
static sim_t *give_up(sim_t *s) { sim_free(s); return NULL; }

sim_t *sim_new(const char *mcu, uint32_t hz, uint32_t baud, const char *elf, uint64_t seed) {
    avr_global_logger_set(be_quiet);
    elf_firmware_t firmware;
    memset(&firmware, 0, sizeof firmware);
    sim_t *s = calloc(1, sizeof *s);
    if (!s || elf_read_firmware(elf, &firmware)) return give_up(s);
    avr_t *a = s->avr = avr_make_mcu_by_name(mcu);
    if (!a) return give_up(s);
    avr_init(a);
    firmware.frequency = hz;
    avr_load_firmware(a, &firmware);
    free(firmware.flash);
    free(firmware.eeprom);
    a->frequency = hz;
    a->sleep = do_not_sleep;
    a->vcc = a->avcc = a->aref = 5000;
    s->line_byte = (uint32_t)(10ull * hz / baud);
    s->noise = seed;
    for (avr_io_t *io = a->io_port; io; io = io->next) {
        if (!strcmp(io->kind, "uart") && ((avr_uart_t *)io)->name == '0') s->uart = (avr_uart_t *)io;
        if (!strcmp(io->kind, "watchdog")) s->watchdog = (avr_watchdog_t *)io;
        if (!strcmp(io->kind, "port")) s->port[((avr_ioport_t *)io)->name - 'A'] = (avr_ioport_t *)io;
    }
    if (!s->uart || !s->watchdog) return give_up(s);
    avr_irq_register_notify(s->watchdog->watchdog.irq + AVR_INT_IRQ_PENDING, on_bark, s);
    mend_flags(a);
    mega_begin(s);                                         /* before the handlers of its flags */
    mend_interrupts(s);
    serial_begin(s);
    pins_begin(s);
    interrupts_begin(s);
    sim_reset(s, 1, 1);
    s->events = 0;
    s->stop = 0;
    s->life = 0;
    return s;
}
/* Runs to a cycle, or to the end of the instruction in which something happened that cannot wait; returns how much did. */
size_t sim_run(sim_t *s, uint64_t until, event_t *out) {
    avr_t *a = s->avr;
    if (a->cycle < until && !s->stop) {
        s->reached = 0;
        avr_cycle_timer_register(a, until - a->cycle, on_reached, s);
        while (!s->reached && a->cycle < until && !s->stop) {
            int state = s->measures ? run_measured(s) : avr_run(a);
            if (a->run_cycle_limit != (s->measures ? ONE_INSTRUCTION : NO_LIMIT)) after_reset(s);
            if (state == cpu_Done || state == cpu_Crashed) push(s, a->cycle, CRASH, 0, (int)(a->pc >> 1));
        }
        avr_cycle_timer_cancel(a, on_reached, s);
    }
    size_t count = s->events;
    memcpy(out, s->event, count * sizeof *out);
    s->events = 0;
    s->stop = 0;
    return count;
}
/* Stops the program where it is: an endless loop, with interrupts or without. */
void sim_hang(sim_t *s, int interrupts) {
    avr_t *a = s->avr;
    a->flash[a->flashend - 1] = 0xff;                      /* rjmp .-2 in the last word of the flash */
    a->flash[a->flashend] = 0xcf;
    a->pc = a->flashend - 1;
    avr_sreg_set(a, S_I, (uint8_t)interrupts);
    a->state = cpu_Running;
}
uint64_t sim_cycle(sim_t *s) { return s->avr->cycle; }
uint8_t sim_peek(sim_t *s, uint32_t address) { return s->avr->data[address]; }
void sim_poke(sim_t *s, uint32_t address, uint8_t value) { s->avr->data[address] = value; }
void sim_eeprom(sim_t *s, int write, uint8_t *bytes, uint16_t offset, uint32_t count) {
    avr_eeprom_desc_t room = {.ee = bytes, .offset = offset, .size = count};
    avr_ioctl(s->avr, write ? AVR_IOCTL_EEPROM_SET : AVR_IOCTL_EEPROM_GET, &room);
}
/* Of a timer: the cycle at which it was last zero, and after how many cycles it is so again. */
void sim_timer(sim_t *s, int name, uint64_t *zero, uint64_t *round) {
    for (avr_io_t *io = s->avr->io_port; io; io = io->next) {
        avr_timer_t *timer = (avr_timer_t *)io;
        if (!strcmp(io->kind, "timer") && timer->name == name) { *zero = timer->tov_base; *round = timer->tov_cycles; }
    }
}
