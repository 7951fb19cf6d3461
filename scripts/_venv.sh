# Sourced by the scripts beside it: sets $root and $python, and brings the virtual environment up to date.
# Set $extras first: "" for the program alone, "[dev]" for the tools too.
# The environment is .venv in the project folder (CRENEL_VENV names another); the interpreter that makes it
# is the first fit one of python3, python3.13, ... (PYTHON names another). Nothing is downloaded while
# pyproject.toml and constraints.txt are those that were installed.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
venv=${CRENEL_VENV:-$root/.venv}
python=$venv/bin/python

fail() {
    printf '%s\n' "$@" >&2
    exit 2
}

find_python() {
    for found in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
        "$found" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && return
    done
    fail "crenel needs Python 3.11 or newer; ${PYTHON:-python3} is $("${PYTHON:-python3}" --version 2>&1 || :)." \
        "Install a newer Python, or name one: PYTHON=/path/to/python3.12 $0"
}

make_venv() {
    find_python
    "$found" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "$found has no module 'venv' with pip. On Debian and Ubuntu: apt-get install python3-venv"
    printf 'Making the virtual environment %s\n' "$venv" >&2
    "$found" -m venv --clear "$venv" || fail "cannot make the virtual environment $venv"
}

# What is installed: the folder and the two files, by their checksums. Written last, so that an
# installation that was cut short is done again.
wanted=$(cd "$root" && printf '%s\n' "$root" && cksum pyproject.toml constraints.txt)

# The tools hold all that the program needs, so they also count as the plain installation.
is_installed() {
    for stamp in "$venv/installed$extras" "$venv/installed[dev]"; do
        [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && "$python" -c '' 2>/dev/null && return
    done
    return 1
}

if ! is_installed; then
    # Made anew when it was cut short, or copied or moved here: then its commands still point to the old place.
    { "$python" -m pip --version && grep -F "$python" "$venv/bin/pip"; } >/dev/null 2>&1 || make_venv
    printf 'Installing crenel%s into %s (once; it takes a minute or two)\n' "$extras" "$venv" >&2
    # The build tool comes from constraints.txt too, so pip must not fetch one of its own.
    "$python" -m pip install --quiet --disable-pip-version-check -c "$root/constraints.txt" hatchling &&
        "$python" -m pip install --quiet --disable-pip-version-check -c "$root/constraints.txt" \
            --no-build-isolation --editable "$root$extras" ||
        fail "The installation failed; the lines above say why. $0 can simply be run again."
    printf '%s\n' "$wanted" >"$venv/installed$extras"
fi
