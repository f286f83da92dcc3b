#!/bin/sh
# Install Debian packages that tests need, in CI only: scripts/apt_install.sh PACKAGE...
#
# Elsewhere it does nothing: tests without their tools are skipped, and name the packages.
set -eu

if [ "${CI:-}" != true ] || ! command -v apt-get >/dev/null; then exit 0; fi
if [ "$(id -u)" = 0 ]; then sudo=''; else sudo='sudo -n'; fi
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends "$@" >/dev/null
