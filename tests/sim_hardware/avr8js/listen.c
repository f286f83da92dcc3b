// A program that listens at 115,200 baud as a bootloader does, and leaves in GPIOR0 to GPIOR2 how many bytes it has
// received, and the flags and the value of the first one.
#include <avr/io.h>

int main(void) {
  UBRR0 = 16;
  UCSR0A = _BV(U2X0);
  UCSR0B = _BV(RXEN0);
  for (;;) {
    uint8_t flags = UCSR0A;
    if (!(flags & _BV(RXC0))) continue;
    uint8_t byte = UDR0;
    if (!GPIOR0) {
      GPIOR1 = flags;
      GPIOR2 = byte;
    }
    GPIOR0++;
  }
}
