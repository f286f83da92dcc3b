#!/bin/sh
# Install what the second simulator of the firmware's tests runs on: node in CI only, and npm's package avr8js where
# there is node. Elsewhere its tests are skipped, and name what is missing.
#
# sim_hardware/avr8js/node/package-lock.json names the package's version and checksum, and no registry.
set -eu

folder=$(dirname "$0")/../sim_hardware/avr8js/node
installed=$folder/node_modules/.package-lock.json

if ! command -v node >/dev/null; then sh "$(dirname "$0")/apt_install.sh" nodejs; fi
if ! command -v npm >/dev/null; then sh "$(dirname "$0")/apt_install.sh" npm; fi
if ! command -v npm >/dev/null || [ "$installed" -nt "$folder/package-lock.json" ]; then exit 0; fi
if npm --prefix "$folder" ci --silent && touch "$installed"; then exit 0; fi
echo "npm cannot install avr8js: the tests of the second simulator are skipped." >&2
[ "${CI:-}" != true ]
