/* Both interrupts call a function that works with interrupts enabled, with 60 bytes on the stack, unless it works already. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <string.h>

static __attribute__((noinline)) void fill(uint8_t *bytes, uint8_t count) { memset(bytes, PINB | 1, count); }

static volatile uint8_t busy, again;

__attribute__((noinline)) void work(void) {
    uint8_t bytes[60];
    fill(bytes, sizeof bytes);
    while (!again) {}
}

__attribute__((noinline)) void gate(void) {
    if (busy) {
        again = 1;
        return;
    }
    busy = 1;
    again = 0;
    sei();
    work();
    cli();
    busy = 0;
}

ISR(TIMER0_COMPA_vect) { gate(); }

// Of two that are alike the compiler would make one that calls the other.
ISR(TIMER1_COMPA_vect) {
    PINB = 1;
    gate();
}

int main(void) {
    TCCR0B = TCCR1B = _BV(CS00);
    TIMSK0 = _BV(OCIE0A);
    TIMSK1 = _BV(OCIE1A);
    OCR1A = 3000;
    sei();
    for (;;) {}
}
