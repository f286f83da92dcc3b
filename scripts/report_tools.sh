#!/bin/sh
# Install the browser of tests that open reports, in CI only: a headless Chromium, and a font.
set -eu

for browser in chromium chromium-browser google-chrome; do
    if command -v "$browser" >/dev/null 2>&1; then exit 0; fi
done
exec sh "$(dirname "$0")/apt_install.sh" chromium fonts-dejavu-core
