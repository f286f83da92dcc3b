/* For each byte: a pin of port B changes; the byte is written to the flags of pins that change. Sent is 1 if that of
   port B is left, and 2 if the EEPROM, when its interrupt was allowed, asked for it: that is done by the highest bit. */
#include <avr/interrupt.h>
#include <avr/io.h>

static volatile uint8_t asked;

ISR(EE_READY_vect) {
    EECR &= ~_BV(EERIE);
    asked = 2;
}

int main(void) {
    UCSR0A = _BV(U2X0);
    UBRR0 = 3;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
    PCMSK0 = _BV(PCINT0);
    DDRB = _BV(0);
    for (;;) {
        while (!(UCSR0A & _BV(RXC0))) {}
        uint8_t ones = UDR0;
        PORTB ^= _BV(0);
        PCIFR = ones & 0x7F;
        uint8_t left = PCIFR & _BV(PCIF0);
        asked = 0;
        if (ones & 0x80) EECR |= _BV(EERIE);
        sei();
        asm volatile("nop\n\tnop\n\tnop\n\tnop");
        cli();
        UDR0 = left | asked;
        PCIFR = _BV(PCIF0);
    }
}
