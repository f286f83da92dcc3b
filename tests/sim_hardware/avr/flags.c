/* For each byte: timer 1 runs until its overflow and two of its compare channels have raised their flags; the byte is
   written to them, and what is left of them is sent. */
#include <avr/io.h>

int main(void) {
    UCSR0A = _BV(U2X0);
    UBRR0 = 3;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
    OCR1A = 20;
    OCR1B = 40;
    TCCR1A = 0;
    TCCR1B = _BV(CS10);
    for (;;) {
        while (!(UCSR0A & _BV(RXC0))) {}
        uint8_t ones = UDR0;
        TCNT1 = 0xFFF0;
        while (TCNT1 < 0xFF00 && TCNT1 < 60) {}
        while (TCNT1 > 0xFF00 || TCNT1 < 60) {}
        TIFR1 = ones;
        UDR0 = TIFR1 & (_BV(TOV1) | _BV(OCF1A) | _BV(OCF1B));
        TIFR1 = 0xFF;
    }
}
