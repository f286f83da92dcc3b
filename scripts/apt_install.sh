#!/bin/sh
# In CI, installs Debian packages that tests need: scripts/apt_install.sh PACKAGE...
#
# Elsewhere it does nothing: the tests are skipped where the tools are absent, and say what to install.
set -eu

if [ "${CI:-}" != true ] || ! command -v apt-get >/dev/null; then exit 0; fi
if [ "$(id -u)" = 0 ]; then sudo=''; else sudo='sudo -n'; fi
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends "$@" >/dev/null
