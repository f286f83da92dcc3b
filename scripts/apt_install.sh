#!/bin/sh
# Install packages of Debian or Ubuntu, where this asks for no password: scripts/apt_install.sh PACKAGE...
#
# Exit status 1: apt-get could not install them; 2: this user may not, or there is no apt-get.
set -eu

command -v apt-get >/dev/null || exit 2
if [ "$(id -u)" = 0 ]; then
    sudo=''
elif sudo -n true 2>/dev/null; then
    sudo='sudo -n'
else
    exit 2
fi
printf '%s\n' "Installing once, for the system (minutes at most): $*"
get="$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300"
if ! said=$($get update 2>&1 && $get install -y --no-install-recommends "$@" 2>&1); then
    printf '%s\n' "$said" | tail -n 5 >&2
    exit 1
fi
