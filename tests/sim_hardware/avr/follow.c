/* The Uno's pin 8 does what pin 2 does, by interrupt; pins 2 and 3 have their pull-ups, and port D is written all
   the time. Pin 9 shows the level of pin 3, at every wake-up of a timer; pin 10 stays an input. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

ISR(INT0_vect) {
    if (PIND & _BV(PD2)) PORTB |= _BV(PB0);
    else PORTB &= ~_BV(PB0);
}

ISR(TIMER0_COMPA_vect) {
    PORTD ^= _BV(PD7);
    if (PIND & _BV(PD3)) PORTB |= _BV(PB1);
    else PORTB &= ~_BV(PB1);
}

int main(void) {
    DDRB = _BV(PB0) | _BV(PB1);
    DDRD = _BV(PD7);
    PORTD = _BV(PD2) | _BV(PD3);
    EICRA = _BV(ISC00);
    EIMSK = _BV(INT0);
    TCCR0A = _BV(WGM01);
    TCCR0B = _BV(CS01) | _BV(CS00);
    OCR0A = 249;
    TIMSK0 = _BV(OCIE0A);
    sei();
    for (;;) sleep_mode();
}
