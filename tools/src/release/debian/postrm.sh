# Runs after the files are gone. Removing keeps data and settings; purging deletes both. The user stays, because files that
# it wrote elsewhere would belong to the next user who gets its number.
case "$1" in
  remove)
    if [ -d /run/systemd/system ]; then systemctl --system daemon-reload >/dev/null || true; fi
    ;;
  purge)
    for unit in $units; do
      deb-systemd-helper purge "$unit" >/dev/null || true
    done
    rm -rf "$data"
    rmdir --ignore-fail-on-non-empty /etc/plantroom 2>/dev/null || true
    ;;
esac
