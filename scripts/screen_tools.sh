#!/bin/sh
# Install the tools of tests with a real window, in CI only: an X server without a monitor, the system libraries that
# Qt loads (its wheel does not have them), and a font.
set -eu

present() {
    command -v Xvfb && fc-list | grep -q . && for library in libEGL libGL libxkbcommon-x11 libxcb-cursor libxcb-icccm \
        libxcb-keysyms libxcb-image libxcb-render-util libdbus-1 libfontconfig; do ldconfig -p | grep -q "$library\.so" || return 1; done
} >/dev/null 2>&1

if present; then exit 0; fi
exec sh "$(dirname "$0")/apt_install.sh" xvfb libegl1 libgl1 libglib2.0-0 libdbus-1-3 fontconfig libfontconfig1 \
    fonts-dejavu-core libxkbcommon0 libxkbcommon-x11-0 libx11-xcb1 libxcb-cursor0 libxcb-icccm4 libxcb-image0 \
    libxcb-keysyms1 libxcb-randr0 libxcb-render0 libxcb-render-util0 libxcb-shape0 libxcb-shm0 libxcb-sync1 \
    libxcb-util1 libxcb-xfixes0 libxcb-xinerama0 libxcb-xkb1
