# Runs after the files of a version are in place. The release puts the names of the package above these lines.
case "$1" in
  configure | abort-upgrade | abort-remove | abort-deconfigure) ;;
  *) exit 0 ;;
esac

if ! getent passwd "$user" >/dev/null; then
  adduser --quiet --system --group --home "$data" --no-create-home --gecos Plantroom "$user"
fi
# The operator can choose other owners and modes with dpkg-statoverride.
if ! dpkg-statoverride --list "$data" >/dev/null; then
  install -d -m 0700 -o "$user" -g "$user" "$data"
fi
if [ -e "$settings" ] && ! dpkg-statoverride --list "$settings" >/dev/null; then
  chown "root:$user" "$settings"
  chmod 0640 "$settings"
fi
update-alternatives --install /usr/bin/plantroom plantroom "$program" "$priority" >/dev/null

# The compiled code of the version before. The folder belongs to the service, so root does not follow its links.
setpriv --reuid "$user" --regid "$user" --clear-groups rm -rf "$data/.cache/plantroom"

for unit in $units; do
  if [ "$enable" = yes ] || deb-systemd-helper debian-installed "$unit"; then
    deb-systemd-helper unmask "$unit" >/dev/null || true
    # True for a unit that was never there, and for one that the operator did not disable.
    if deb-systemd-helper --quiet was-enabled "$unit"; then
      deb-systemd-helper enable "$unit" >/dev/null || true
    fi
  fi
  deb-systemd-helper update-state "$unit" >/dev/null || true
done

if [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
  # Leaves a unit alone that is neither enabled nor running.
  # shellcheck disable=SC2086
  deb-systemd-invoke restart $units || true
fi

if [ -n "$first_note" ] && [ "$1" = configure ] && [ -z "${2:-}" ]; then printf '%s\n' "$first_note"; fi
