#!/bin/sh
# Make .venv and install the project into it: scripts/setup.sh run|dev
#
#   run   dependencies of `rig`     dev   also the tools of `make test`
#
# Does nothing if that is done. A .venv that is incomplete, that has lost its Python or
# that was moved is made again; one that is older than pyproject.toml, or in which pip has
# replaced this checkout by a copy of it, is updated.
# Exit status 2: a program is missing, and the message says what to install.
set -eu

want=${1:-run}
python=${PYTHON:-python3}

cd "$(dirname "$0")/.."
root=$(pwd -P)
venv=.venv
unfinished=$venv/.unfinished # exists during a set-up
stamp=$venv/.set-up          # "run" or "dev", and the folder it was made in

say() { printf '%s\n' "$*"; }
fail() {
    say "$*" >&2
    exit 2
}

case $want in
run | dev) ;;
*) fail "usage: scripts/setup.sh run|dev" ;;
esac

recent_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
has_venv() { "$1" -c 'import venv; from ensurepip import bootstrap' 2>/dev/null; }
editable() { grep -qs '"editable": *true' "$venv"/lib/python3*/site-packages/behavior_rig-*.dist-info/direct_url.json; }
healthy() { "$venv/bin/python" -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

choose_python() {
    for candidate in "$python" python3.13 python3.12 python3.11; do
        if recent_enough "$candidate"; then
            python=$candidate
            return
        fi
    done
    if ! command -v python3 >/dev/null && sh scripts/apt_install.sh python3 python3-venv && recent_enough python3; then
        python=python3
        return
    fi
    fail "Python 3.11 or newer is needed; neither $python nor python3.13, python3.12 or python3.11 is one." \
        "Install one, or name it: make PYTHON=/path/to/python"
}

# Debian and Ubuntu ship Python without its venv module.
need_venv_module() {
    if has_venv "$python"; then return; fi
    case ${python##*/} in
    python3.*) package=${python##*/}-venv ;;
    *) package=python3-venv ;;
    esac
    if sh scripts/apt_install.sh "$package" && has_venv "$python"; then return; fi
    say "$python cannot make virtual environments. On Debian and Ubuntu install its venv module with:" >&2
    fail "    sudo apt-get install -y $package"
}

make_venv() {
    choose_python
    need_venv_module
    # The interpreter itself, not a version manager's shim nor the environment that is replaced.
    python=$("$python" -c 'import sys; print(getattr(sys, "_base_executable", "") or sys.executable)')
    say "Making $venv with $("$python" -V)."
    rm -rf "$venv"
    mkdir "$venv"
    say "$want $root" >"$unfinished"
    "$python" -m venv "$venv"
}

# Two set-ups at once wait for each other where the system can lock a file.
if command -v flock >/dev/null; then
    exec 9<scripts/setup.sh
    flock 9 || true
fi

made_for='' made_in=''
if [ -f "$stamp" ]; then read -r made_for made_in <"$stamp" || true; fi
if [ "$made_for" = dev ]; then want=dev; fi

if [ -e "$unfinished" ] || ! healthy || { [ -n "$made_in" ] && [ "$made_in" != "$root" ]; }; then
    make_venv
elif [ "$made_for" = "$want" ] && editable && [ -z "$(find pyproject.toml -newer "$stamp")" ]; then
    exit 0
fi

say "Installing the project and what it needs into $venv (a minute or two the first time)."
say "$want $root" >"$unfinished"

pip() { "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input "$@"; }
# The tools are many. uv installs them in a fifth of the time that pip takes.
uv() { pip uv && "$venv/bin/python" -m uv pip install --quiet --native-tls --python "$venv/bin/python" "$@"; }

if [ "$want" = dev ]; then
    uv --editable '.[dev]' || pip --editable '.[dev]'
else
    pip --editable .
fi
mv "$unfinished" "$stamp"
