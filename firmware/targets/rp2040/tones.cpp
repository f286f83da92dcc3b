// SPDX-License-Identifier: BSD-3-Clause
//
// Square waves on any pin: the alarm of a voice toggles its pin (4.6). A half period is stored in 256ths of a
// microsecond, so the average frequency is exact to 160 ppm at 20 kHz.

#include "rp2040.h"

namespace hal {

namespace {

constexpr uint32_t HALF_SECOND_US = 500000;

struct Voice {
  uint32_t mask;  // its pin; 0 while the voice is free
  bool sounds;
  uint32_t half;  // of a period, in 256ths of a microsecond
  uint32_t due_us;
  uint8_t fraction;  // the 256ths that are beyond `due_us`
};

Voice voices[limits::VOICES];

void set_next(uint8_t number) {
  Voice& voice = voices[number];
  uint32_t step = voice.half + voice.fraction;
  voice.due_us += step >> 8;
  voice.fraction = step;
  set_alarm(FIRST_VOICE_ALARM + number, voice.due_us);
}

void on_alarm(uint8_t number) {
  end_alarm(FIRST_VOICE_ALARM + number);
  if (!voices[number].sounds) return;
  registers::at(registers::GPIO_OUT_TOGGLE) = voices[number].mask;
  set_next(number);
}

}  // namespace

uint8_t alloc_voice(Pin pin) {
  for (uint8_t number = 0; number < limits::VOICES; number++) {
    if (voices[number].mask) continue;
    voices[number].mask = static_cast<uint32_t>(pin.mask) << 8 * pin.port;
    return number;
  }
  return limits::NONE;
}

void free_voice(uint8_t voice) { voices[voice].mask = 0; }

void prepare_tone(uint8_t number, uint16_t hz) {
  InterruptsOff off;  // a ramp prepares its next tone while one sounds
  voices[number].half = (HALF_SECOND_US << 8) / hz;
}

void start_tone(uint8_t number) {
  InterruptsOff off;
  if (has_panicked()) return;
  Voice& voice = voices[number];
  registers::at(registers::GPIO_OUT_TOGGLE) = voice.mask;
  voice.sounds = true;
  voice.due_us = now_us();
  voice.fraction = 0;
  set_next(number);
}

void stop_tones() {
  for (Voice& voice : voices) voice.sounds = false;
}

void stop_tone(uint8_t number, bool rest) {
  InterruptsOff off;
  voices[number].sounds = false;
  registers::at(rest ? registers::GPIO_OUT_SET : registers::GPIO_OUT_CLEAR) = voices[number].mask;
}

}  // namespace hal

extern "C" void on_voice_0() { hal::on_alarm(0); }
extern "C" void on_voice_1() { hal::on_alarm(1); }
