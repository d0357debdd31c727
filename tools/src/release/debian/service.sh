# shellcheck shell=sh disable=SC2034,SC2154
# Lets a command that an operator types see what the service of this machine sees: its settings, its data folder, and as its
# user. The launcher includes this file before it starts a program. $as is put before the program.

# Takes the lines of the settings. The environment has precedence, as it has over a file elsewhere.
take_settings() {
  while IFS= read -r line || [ -n "$line" ]; do
    name=${line%%=*}
    value=${line#*=}
    case "$name" in '' | *[!A-Za-z0-9_]* | [0-9]* | "$line") continue ;; esac
    # systemd removes quotes around a value.
    case "$value" in
      \"*\") value=${value#\"} && value=${value%\"} ;;
      \'*\') value=${value#\'} && value=${value%\'} ;;
    esac
    eval "[ -n \"\${$name+set}\" ]" || export "$name=$value"
  done <"$settings"
}

is_root() {
  [ "$(id -u)" = 0 ]
}

# Whoever names a data folder means another installation.
if [ -z "${PLANTROOM_DATA:-}" ]; then
  case " $* " in
    *' --help '* | *' -h '* | ' backup verify '* | ' edge probe '* | ' config check '[!-]*) ;;
    ' config '* | ' doctor '* | ' support '* | ' backup '* | ' restore '* | ' edge config '* | ' edge doctor '* | ' edge support '*)
      if [ ! -r "$settings" ]; then
        printf 'plantroom: run this command as root, so that it sees what the service sees: sudo plantroom %s\n' "$*" >&2
        exit 1
      fi
      take_settings
      PLANTROOM_DATA=$data
      export PLANTROOM_DATA
      if is_root; then
        as="setpriv --reuid=$user --regid=$user --groups=$user"
        # The last lines of the log, which a doctor and a file for support need, belong to another group.
        case " $* " in *' doctor '* | *' support '*) ! getent group systemd-journal >/dev/null || as="$as,systemd-journal" ;; esac
        unset NODE_COMPILE_CACHE
      fi
      ;;
    ' cloud '* | ' worker '* | ' edge '* | ' demo '* | ' simulate'*) ;;
    *)
      # The data folder has the address of the running service, its certificate and a token, which root may read.
      if is_root && [ -d "$data" ] && [ ! -d .plantroom ]; then
        PLANTROOM_DATA=$data
        export PLANTROOM_DATA
      fi
      ;;
  esac
fi
