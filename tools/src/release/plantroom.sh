#!/bin/sh
# Runs a command of an installed release.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
# A Debian package brings its own Node.
if [ -x "$here/runtime/bin/node" ]; then PATH=$here/runtime/bin:$PATH; fi
version=$(node --version 2>/dev/null) || version=v0
version=${version#v}
if [ "${version%%.*}" -lt 24 ]; then
  printf 'plantroom: Node 24 or newer is needed, and this is %s: install it and try again\n' "${version}" >&2
  exit 1
fi

# Compiled code makes every start after the first one faster.
# It must be in a folder that no other user can write to.
if [ -n "${XDG_CACHE_HOME:-${HOME:-}}" ]; then
  : "${NODE_COMPILE_CACHE:=${XDG_CACHE_HOME:-$HOME/.cache}/plantroom}"
  export NODE_COMPILE_CACHE
fi

as=''
case "$here" in
  # Debian packages have services, which some commands are about.
  */usr/lib/plantroom/*)
    case "${1:-}" in edge) service=$here/../edge/bin/service.sh ;; *) service=$here/../cloud/bin/service.sh ;; esac
    # shellcheck source=/dev/null
    if [ -r "$service" ]; then . "$service"; fi
    ;;
esac

. "$here/bin/launch.sh"
program=$here/dist/$(built_name "$program").js
# Every program knows the version.
if [ ! -e "$program" ] && [ "${1:-}" = --version ]; then program=$here/dist/edge-main.js; fi
if [ ! -e "$program" ]; then
  printf 'plantroom: this installation has the controller only, "plantroom edge": run other commands where the cloud runs\n' >&2
  exit 2
fi
# shellcheck disable=SC2086
exec $as node $flags "$program" "$@"
