/* The serial port: every byte takes its time on the line, both ways.
   Under GPL-3.0-or-later, as libsimavr is, which it links; not part of the wheel. */

#include "sim.h"

enum { FIFO = 3 }; /* two bytes and the shift register */

static uint32_t bit_cycles(sim_t *s) {
    avr_uart_t *u = s->uart;
    uint8_t *data = s->avr->data;
    uint32_t divider = (uint32_t)(data[u->ubrrl.reg] | (data[u->ubrrh.reg] & 15) << 8) + 1;
    return divider * (avr_regbit_get(s->avr, u->u2x) ? 8 : 16);
}
static uint32_t byte_cycles(sim_t *s) {
    uint8_t c = s->avr->data[s->uart->r_ucsrc];
    return bit_cycles(s) * (uint32_t)(1 + 5 + (c >> 1 & 3) + !!(c & 0x30) + 1 + (c >> 3 & 1));
}
static uint8_t across(sim_t *s, uint8_t byte) {            /* two ends of one line that disagree about its speed */
    int32_t ours = (int32_t)bit_cycles(s) * 10, theirs = (int32_t)s->line_byte;
    return abs(ours - theirs) * 20 > theirs ? (uint8_t)(byte << 1 | 1) ^ 0x55 : byte;
}
static void on_baud(avr_t *a, avr_io_addr_t r, uint8_t v, void *p) {
    sim_t *s = p;
    s->uart->cycles_per_byte = byte_cycles(s);
}
/* Called when UDR is written; the byte is there at the end of its stop bit. */
static void on_sent(struct avr_irq_t *irq, uint32_t value, void *p) {
    sim_t *s = p;
    uint64_t now = s->avr->cycle;
    s->uart->cycles_per_byte = byte_cycles(s);
    s->wire_free = (s->wire_free > now ? s->wire_free : now) + byte_cycles(s);
    push(s, s->wire_free, BYTE, s->life, across(s, value & 255));
}
static avr_cycle_count_t on_received(avr_t *a, avr_cycle_count_t when, void *p) {   /* a stop bit has come */
    sim_t *s = p;
    avr_uart_t *u = s->uart;
    uint8_t byte = across(s, s->rx[s->rx_head++]);
    if (((u->input.write - u->input.read) & 63) >= FIFO)
        push(s, a->cycle, OVERRUN, 0, byte);
    else {
        uint64_t usual = u->cycles_per_byte;
        u->cycles_per_byte = 1;                            /* it has had its time on the line */
        avr_raise_irq(s->uart_in, byte);
        u->cycles_per_byte = usual;
    }
    s->receiving = s->rx_head != s->rx_tail;
    return s->receiving ? when + s->line_byte : 0;
}
void sim_send(sim_t *s, const uint8_t *data, size_t count) {
    while (count--) s->rx[s->rx_tail++] = *data++;
    if (s->receiving || s->rx_head == s->rx_tail) return;
    s->receiving = 1;
    avr_cycle_timer_register(s->avr, s->line_byte, on_received, s);
}

void serial_begin(sim_t *s) {
    avr_t *a = s->avr;
    uint32_t flags = 0;                                    /* no echo on stdout, no sleep when the program polls */
    avr_ioctl(a, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    s->uart_in = avr_io_getirq(a, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(a, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_sent, s);
    avr_register_io_write(a, s->uart->ubrrl.reg, on_baud, s);
    avr_register_io_write(a, s->uart->r_ucsrc, on_baud, s);
}

void serial_after_reset(sim_t *s) {
    s->wire_free = 0;
    if (s->receiving) avr_cycle_timer_register(s->avr, s->line_byte, on_received, s);
}
