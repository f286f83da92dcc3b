/* Interrupts are off for the first 5000 cycles. For a byte that is 0 a pin changes, whose interrupt takes 1000 cycles; for
   another byte interrupts are off for two times three cycles for each 1 of it, with a look at the flags of pins between. */
#include <avr/interrupt.h>
#include <avr/io.h>

ISR(PCINT0_vect) { __builtin_avr_delay_cycles(1000); }

static void mask(uint8_t count) {
    uint8_t again = count;
    asm volatile("cli \n\t 1: dec %0 \n\t brne 1b \n\t in __tmp_reg__, %2 \n\t 2: dec %1 \n\t brne 2b \n\t sei"
                 : "+r"(count), "+r"(again) : "I"(_SFR_IO_ADDR(PCIFR)));
}

int main(void) {
    UCSR0A = _BV(U2X0);
    UBRR0 = 3;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0);
    PCICR = _BV(PCIE0);
    PCMSK0 = _BV(PCINT0);
    DDRB = _BV(0);
    __builtin_avr_delay_cycles(5000);
    sei();
    for (;;) {
        while (!(UCSR0A & _BV(RXC0))) {}
        uint8_t count = UDR0;
        if (count) mask(count);
        else PORTB ^= _BV(0);
    }
}
