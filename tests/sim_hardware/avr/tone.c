/* Pin 9 sounds by itself (timer 1 toggles it every OCR1A + 1 cycles); two bytes set that, 0 is silence and 1 is on. */
#include <avr/io.h>

static uint8_t heard(void) {
    while (!(UCSR0A & _BV(RXC0))) {}
    return UDR0;
}

int main(void) {
    DDRB = _BV(PB1);
    UCSR0A = _BV(U2X0);
    UBRR0 = 3;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0);
    for (;;) {
        uint16_t half = heard();
        half |= (uint16_t)heard() << 8;
        TCCR1A = TCCR1B = 0;
        PORTB = half == 1 ? _BV(PB1) : 0;
        if (half < 2) continue;
        OCR1A = half - 1;
        TCNT1 = 0;
        TCCR1C = _BV(FOC1A);
        TCCR1A = _BV(COM1A0);
        TCCR1B = _BV(WGM12) | _BV(CS10);
    }
}
