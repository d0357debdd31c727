#!/bin/sh
# Stands in for systemctl in a Debian root without systemd: starts and stops units with the user, the environment and the
# command of their files. It protects nothing.
set -eu
action='' units='' now=''
for word in "$@"; do
  case "$word" in
    --now) now=yes ;;
    -*) ;;
    *) if [ -z "$action" ]; then action=$word; else units="$units ${word%.service}.service"; fi ;;
  esac
done
mkdir -p /run/units

field() { sed -n "s/^$2=//p" "/lib/systemd/system/$1"; }
wants() { echo "/etc/systemd/system/multi-user.target.wants/$1"; }
is_active() { [ -e "/run/units/$1" ] && kill -0 "$(cat "/run/units/$1")" 2>/dev/null; }

start() {
  is_active "$1" && return 0
  user=$(field "$1" User)
  (
    set -a
    eval "$(field "$1" Environment)"
    . "$(field "$1" EnvironmentFile)"
    HOME=$(getent passwd "$user" | cut -d: -f6)
    set +a
    # shellcheck disable=SC2046
    exec setsid setpriv --reuid "$user" --regid "$user" --clear-groups $(field "$1" ExecStart) \
      >>"/var/log/$1.log" 2>&1 </dev/null
  ) &
  echo $! >"/run/units/$1"
}

stop() {
  while is_active "$1"; do
    kill -TERM "$(cat "/run/units/$1")" 2>/dev/null || true
    sleep 0.2
  done
}

for unit in $units; do
  case "$action" in
    start) start "$unit" ;;
    stop) stop "$unit" ;;
    restart) stop "$unit" && start "$unit" ;;
    # Debian presets all units to be enabled.
    enable | preset)
      mkdir -p "$(dirname "$(wants "$unit")")"
      ln -sf "/lib/systemd/system/$unit" "$(wants "$unit")"
      [ -z "$now" ] || start "$unit"
      ;;
    is-enabled) if [ -e "$(wants "$unit")" ]; then echo enabled; else echo disabled && exit 1; fi ;;
    is-active) is_active "$unit" || exit 3 ;;
  esac
done
