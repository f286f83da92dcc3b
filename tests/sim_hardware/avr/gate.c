/* Both interrupts call a function that works with interrupts enabled, with 60 bytes on the stack, unless a lock is set: it
   works already, or the loop has 70 bytes on the stack. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <string.h>

static __attribute__((noinline)) void fill(uint8_t *bytes, uint8_t count) { memset(bytes, PINB | 1, count); }

#define LOCK _BV(0) /* of GPIOR0, whose bits one instruction can change and test */
static volatile uint8_t again;

__attribute__((noinline)) void work(void) {
    uint8_t bytes[60];
    fill(bytes, sizeof bytes);
    while (!again) {}
}

__attribute__((noinline)) void gate(void) {
    if (GPIOR0 & LOCK) {
        again = 1;
        return;
    }
    GPIOR0 |= LOCK;
    again = 0;
    sei();
    work();
    cli();
    GPIOR0 &= ~LOCK;
}

ISR(TIMER0_COMPA_vect) { gate(); }

// Of two that are alike the compiler would make one that calls the other.
ISR(TIMER1_COMPA_vect) {
    PINB = 1;
    gate();
}

__attribute__((noinline)) void undisturbed(void) {
    uint8_t bytes[70];
    fill(bytes, sizeof bytes);
}

int main(void) {
    TCCR0B = TCCR1B = _BV(CS00);
    TIMSK0 = _BV(OCIE0A);
    TIMSK1 = _BV(OCIE1A);
    OCR1A = 3000;
    sei();
    for (;;) {
        GPIOR0 |= LOCK;
        undisturbed();
        GPIOR0 &= ~LOCK;
    }
}
