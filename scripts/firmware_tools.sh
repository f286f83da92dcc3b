#!/bin/sh
# Install what reads the firmware's sources in tests, in CI only: a second compiler, and what judges style.
set -eu

packages="clang clang-tidy clang-format"

present() {
    command -v clang++ && command -v clang-tidy && command -v clang-format
} >/dev/null

if present; then exit 0; fi
# shellcheck disable=SC2086 # one argument per package
exec sh "$(dirname "$0")/apt_install.sh" $packages
