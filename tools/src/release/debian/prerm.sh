# Runs before the files of this version go.
case "$1" in
  remove | deconfigure)
    if [ -d /run/systemd/system ]; then
      # shellcheck disable=SC2086
      deb-systemd-invoke stop $units || true
    fi
    update-alternatives --remove plantroom "$program"
    if [ "$1" = remove ] && [ -n "$removal_note" ]; then printf '%s\n' "$removal_note" >&2; fi
    ;;
  upgrade)
    # These start other programs, which must not be of another version than they are.
    if [ -d /run/systemd/system ] && [ -n "$stop_for_upgrade" ]; then
      # shellcheck disable=SC2086
      deb-systemd-invoke stop $stop_for_upgrade || true
    fi
    ;;
esac
