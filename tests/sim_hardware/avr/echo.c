/* Sends back every byte that comes, 500,000 baud, and sleeps in between. '!' makes it deaf for a millisecond. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <util/delay.h>

#ifdef USART0_RX_vect
#define RX_VECT USART0_RX_vect
#define UDRE_VECT USART0_UDRE_vect
#else
#define RX_VECT USART_RX_vect
#define UDRE_VECT USART_UDRE_vect
#endif

static volatile uint8_t ring[64], head, tail;

ISR(RX_VECT) {
    uint8_t byte = UDR0;
    if (byte == '!') _delay_ms(1);
    ring[head++ & 63] = byte;
    UCSR0B |= _BV(UDRIE0);
}

ISR(UDRE_VECT) {
    UDR0 = ring[tail++ & 63];
    if (head == tail) UCSR0B &= ~_BV(UDRIE0);
}

int main(void) {
    UCSR0A = _BV(U2X0);
    UBRR0 = 3;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
    sei();
    for (;;) sleep_mode();
}
