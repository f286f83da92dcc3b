#!/bin/sh
# Install what reads the firmware's sources in tests, in CI only: a second compiler, what judges style,
# and what the Arduino IDE builds sketches with.
set -eu

packages="clang clang-tidy clang-format arduino-builder"

present() {
    command -v clang++ && command -v clang-tidy && command -v clang-format && command -v arduino-builder
} >/dev/null

if present; then exit 0; fi
# shellcheck disable=SC2086 # one argument per package
exec sh "$(dirname "$0")/apt_install.sh" $packages
