#!/bin/sh
# Runs a command of an installed release.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
version=$(node --version 2>/dev/null) || version=v0
version=${version#v}
if [ "${version%%.*}" -lt 24 ]; then
  printf 'plantroom: Node 24 or newer is needed, and this is %s: install it and try again\n' "${version}" >&2
  exit 1
fi

# Compiled code makes every start after the first one faster.
: "${NODE_COMPILE_CACHE:=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/plantroom}"
export NODE_COMPILE_CACHE

. "$here/bin/launch.sh"
file=$here/dist/$(built_name "$program").js
if [ ! -f "$file" ]; then
  printf 'plantroom: this installation has only the controller, "plantroom edge": run other commands where the cloud runs\n' >&2
  exit 1
fi
# shellcheck disable=SC2086
exec node $flags "$file" "$@"
