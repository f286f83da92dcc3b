/* A pointer to one of two functions is called; the one that is not has the larger frame. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <string.h>

static __attribute__((noinline)) void fill(uint8_t *bytes, uint8_t count) { memset(bytes, PINB | 1, count); }

__attribute__((noinline)) void small(void) { PORTB = 1; }

__attribute__((noinline)) void large(void) {
    uint8_t bytes[70];
    fill(bytes, sizeof bytes);
}

static void (*volatile chosen)(void);

int main(void) {
    chosen = PINB ? large : small;
    for (;;) chosen();
}
