#!/bin/sh
# Install what tests look for beside Python, where this asks for no password: scripts/test_tools.sh [missing]
#
#   missing   only name what is missing, in one line
#
# Tests are skipped for want of a program. In CI such a program is an error.
set -eu

cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin # where ldconfig is, for an ordinary user too
node=sim_hardware/avr8js/node

# The simulated chip (sim_hardware/avr/build.py names the same packages), and what reads the firmware's sources: a
# second compiler, what judges style, and what the Arduino IDE builds sketches with.
chip="gcc libc6-dev make libsimavr-dev gcc-avr binutils-avr avr-libc arduino-core-avr"
# The compiler for a Pico.
arm="gcc-arm-none-eabi libnewlib-arm-none-eabi"
sources="g++ clang clang-tidy clang-format arduino-builder"
# What two simulators of chips run on.
simulator="nodejs npm"
# An X server without a monitor, the system libraries that Qt loads (its wheel does not have them), and a font.
screen="xvfb libegl1 libgl1 libglib2.0-0 libdbus-1-3 fontconfig libfontconfig1 fonts-dejavu-core libxkbcommon0
    libxkbcommon-x11-0 libx11-xcb1 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0
    libxcb-render0 libxcb-render-util0 libxcb-shape0 libxcb-shm0 libxcb-sync1 libxcb-util1 libxcb-xfixes0
    libxcb-xinerama0 libxcb-xkb1"
# The browser of tests that open reports, and a font.
browser="chromium fonts-dejavu-core"

has() { for program in "$@"; do command -v "$program" || return 1; done; }
has_chip() { has gcc make avr-gcc && [ -e /usr/include/simavr/sim_avr.h ] && [ -d /usr/share/arduino/hardware/arduino/avr ]; }
has_arm() { has arm-none-eabi-g++ && [ -e /usr/lib/arm-none-eabi/include/string.h ]; }
has_sources() { has g++ clang++ clang-tidy clang-format arduino-builder; }
has_simulator() { has node npm; }
has_browser() { has chromium || has chromium-browser || has google-chrome; }
has_screen() {
    has Xvfb && fc-list | grep -q . && for library in libEGL libGL libxkbcommon-x11 libxcb-cursor libxcb-icccm \
        libxcb-keysyms libxcb-image libxcb-render-util libdbus-1 libfontconfig; do ldconfig -p | grep -q "$library\.so" || return 1; done
}

missing_groups() { for group in chip arm sources simulator screen browser; do "has_$group" >/dev/null 2>&1 || echo "$group"; done; }
# shellcheck disable=SC2046 # in one line
packages() { echo $(for group in $(missing_groups); do eval "echo \$$group"; done); }

install_packages() {
    wanted=$(packages)
    if [ -z "$wanted" ]; then return; fi
    failure=0
    # shellcheck disable=SC2086 # one argument per package
    sh scripts/apt_install.sh $wanted || failure=$?
    # A system that has no package of one name still gets the other groups.
    if [ "$failure" = 1 ]; then
        for group in $(missing_groups); do eval "sh scripts/apt_install.sh \$$group" || true; done
    fi
}

# The lock file names the packages' versions and checksums, and no registry.
has_simulators() { [ $node/node_modules/.package-lock.json -nt $node/package-lock.json ]; }
install_simulators() {
    if ! has npm >/dev/null || has_simulators; then return; fi
    if npm --prefix $node ci --silent; then touch $node/node_modules/.package-lock.json; fi
}

if [ "${1:-}" != missing ]; then
    install_packages
    install_simulators
fi
wanted=$(packages)
if [ -n "$wanted" ]; then
    echo "Tests are skipped for want of programs. On Debian and Ubuntu: sudo apt-get install -y --no-install-recommends $wanted"
elif ! has_simulators; then
    echo "Tests of a simulated Pico are skipped: npm cannot install the package rp2040js."
else
    exit 0
fi
[ "${CI:-}" != true ]
