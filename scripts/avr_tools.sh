#!/bin/sh
# In CI, installs what the tests need that run the firmware on a simulated chip: compilers for AVR, and libsimavr.
#
# Elsewhere it does nothing: those tests are skipped where the tools are absent, and say what to install.
# sim_hardware/avr/build.py names the same packages.
set -eu

packages="gcc libc6-dev make libsimavr-dev gcc-avr binutils-avr avr-libc arduino-core-avr"

present() {
    command -v gcc && command -v avr-gcc && [ -e /usr/include/simavr/sim_avr.h ] && [ -d /usr/share/arduino/hardware/arduino/avr ]
} >/dev/null

if [ "${CI:-}" != true ] || present || ! command -v apt-get >/dev/null; then exit 0; fi
if [ "$(id -u)" = 0 ]; then sudo=''; else sudo='sudo -n'; fi
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
# shellcheck disable=SC2086 # words on purpose
$sudo apt-get install -y -qq --no-install-recommends $packages >/dev/null
