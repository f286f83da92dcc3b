/* Says at every start why it started: MCUSR, and the mark that the watchdog's interrupt left in memory. Pin 8 is on
   while it is well. It feeds its watchdog (interrupt, then reset, 16 ms) from the main loop alone. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <util/delay.h>

static uint8_t mark __attribute__((section(".noinit")));

ISR(WDT_vect) {
    PORTB = 0;
    mark = 0x5A;
}

static void say(uint8_t byte) {
    while (!(UCSR0A & _BV(UDRE0))) {}
    UDR0 = byte;
}

int main(void) {
    uint8_t cause = MCUSR;
    MCUSR = 0;
    wdt_reset();
    WDTCSR = _BV(WDCE) | _BV(WDE);
    WDTCSR = _BV(WDIE) | _BV(WDE);
    UCSR0A = _BV(U2X0);
    UBRR0 = 3;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(TXEN0);
    say(cause);
    say(mark);
    mark = 0;
    DDRB = _BV(PB0);
    PORTB = _BV(PB0);
    sei();
    for (;;) wdt_reset();
}
