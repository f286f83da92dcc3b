/* Timer 1 interrupts with 30 bytes on the stack and with interrupts enabled, until timer 0's has come inside it. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <string.h>

static __attribute__((noinline)) void fill(uint8_t *bytes, uint8_t count) { memset(bytes, PINB | 1, count); }

static volatile uint8_t came;

ISR(TIMER0_COMPA_vect) {
    uint8_t bytes[40];
    fill(bytes, sizeof bytes);
    came = 1;
}

ISR(TIMER1_COMPA_vect) {
    uint8_t bytes[30];
    fill(bytes, sizeof bytes);
    TIMSK1 = 0;
    came = 0;
    sei();
    while (!came) {}
}

int main(void) {
    uint8_t bytes[20];
    TCCR0B = _BV(CS00);
    TIMSK0 = _BV(OCIE0A);
    TCCR1B = _BV(CS00);
    TIMSK1 = _BV(OCIE1A);
    OCR1A = 3000;
    sei();
    for (;;) fill(bytes, sizeof bytes);
}
