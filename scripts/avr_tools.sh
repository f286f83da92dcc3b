#!/bin/sh
# Install the tools of tests with the firmware on a simulated chip, in CI only: compilers for AVR, and libsimavr.
#
# sim_hardware/avr/build.py names the same packages.
set -eu

packages="gcc libc6-dev make libsimavr-dev gcc-avr binutils-avr avr-libc arduino-core-avr"

present() {
    command -v gcc && command -v avr-gcc && [ -e /usr/include/simavr/sim_avr.h ] && [ -d /usr/share/arduino/hardware/arduino/avr ]
} >/dev/null

if present; then exit 0; fi
# shellcheck disable=SC2086 # one argument per package
exec sh "$(dirname "$0")/apt_install.sh" $packages
