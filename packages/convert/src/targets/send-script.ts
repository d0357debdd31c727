/** A script that sends an export to another system. */
interface SendScript {
  /** The system, for people: `Zammad`. */
  readonly label: string
  /** What its first lines say. */
  readonly about: string
  /** The variables that a person sets. The first one is the address of the system. */
  readonly variables: readonly [string, ...string[]]
  /** Where the interface is below the address: `/api/v1`. */
  readonly path: string
  /** The header by which curl signs in, with `%s` for the second variable. */
  readonly header: string
  /** What the script does, in the language of the shell. */
  readonly main: string
}

/**
 * Returns a script of curl and jq. Texts of requests reach it through files only, never as words of the shell or arguments of
 * curl. A POST is sent once: what became of one without a reply is asked for by the next run.
 */
export function sendScript({ label, about, variables, path, header, main }: SendScript): string {
  const [address, secret] = variables
  const comment = `${about}
MOST_BYTES is the size of the largest file to send, 100000000 unless set; left.txt lists those that were not sent.
Run it again after an interruption: it continues, and skips what an earlier run has sent.`
  return String.raw`#!/bin/sh
${comment.replaceAll(/^/gm, '# ')}
set -eu
stop() { printf '%s\n' "$1" >&2; exit 1; }
for program in curl jq base64; do
  command -v "$program" > /dev/null || stop "install $program, then run this again"
done
for variable in ${variables.join(' ')}; do
  eval "value=\${$variable-}"
  [ -n "$value" ] || stop "set $variable: the first lines of send.sh show how"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
touch sent.txt
api="${'$'}{${address}%/}${path}"
# A file, because everybody on this machine sees the arguments of curl.
printf '${header}\n' "$${secret}" > "$work/header.txt"

# Both put the reply into reply.json and its number into $status, which is 000 without a reply.
get() {
  status=$(curl -sSg --retry 3 -H "@$work/header.txt" -o "$work/reply.json" -w '%{http_code}' "$api/$1") || :
  accepted "GET $1"
}
# Sends METHOD PATH [FILE TYPE], without another try: a second one could add the same again.
send() {
  : > "$work/reply.json"
  status=$(curl -sSg -X "$1" -H "@$work/header.txt" -H "Content-Type: ${'$'}{4:-application/json}" -H 'Expect:' -T "${'$'}{3:-$work/body.json}" \
    -o "$work/reply.json" -w '%{http_code}' "$api/$2") || :
}
accepted() {
  case $status in
    2??) ;;
    000) stop "no reply from ${label}, see above; run this again when it answers" ;;
    *) stop "${label} answered $status to $1: $(head -c 500 "$work/reply.json")" ;;
  esac
}

# Returns whether a file is there and small enough to send.
fits() {
  [ -r "$1" ] || stop "$1 is missing; run this in the folder of the export"
  bytes=$(($(wc -c < "$1")))
  [ "$bytes" -gt "${'$'}{MOST_BYTES:-100000000}" ] || return 0
  left="request $request: $1, $bytes bytes"
  touch left.txt
  grep -qxF -- "$left" left.txt || printf '%s\n' "$left" >> left.txt
  printf 'not sent: %s\n' "$left" >&2
  return 1
}

# Writes item.json to body.json, with the content of the files of its LIST as FIELD.
filled() {
  jq -c --arg list "$1" '.[$list][]?' "$work/item.json" > "$work/files.json"
  {
    jq -c --arg list "$1" 'del(.[$list])' "$work/item.json" | sed 's/}$//'
    printf ',"%s":[' "$1"
    between=
    while read -r file; do
      printf '%s' "$file" > "$work/file.json"
      file=$(jq -r .path "$work/file.json")
      fits "$file" || continue
      printf '%s' "$between"
      jq -c 'del(.path, .name)' "$work/file.json" | sed 's/}$//'
      printf ',"%s":"' "$2"
      # An empty text is refused. This one has the same meaning.
      [ -s "$file" ] || printf '\\n'
      base64 < "$file" | tr -d '\n'
      printf '"}'
      between=,
    done < "$work/files.json"
    printf ']}'
  } > "$work/body.json"
}
${main}`
}

/** For systems that cannot be asked whether they have a request: what is being added is kept in sending.txt. */
export const addedOnce = (label: string, noun: string) => String.raw`
# Sets $id to what an earlier run has added, if there is anything.
known() {
  [ -f sending.txt ] && [ "$(sed -n 1p sending.txt)" = "$request" ] || return 1
  id=$(sed -n 2p sending.txt)
  [ "$id" != '?' ] || stop "an earlier run ended before ${label} answered. If ${label} has the ${noun} of request $request, write its id into sending.txt instead of the ?. If not, delete sending.txt. Then run this again."
}
# Adds body.json at PATH and sets $id, which FILTER finds in the reply.
add() {
  printf '%s\n?\n' "$request" > sending.txt
  send POST "$1"
  # Only then it is certain that nothing was added.
  case $status in 4??) rm sending.txt ;; esac
  accepted "POST $1"
  id=$(jq "$2" "$work/reply.json")
  printf '%s\n%s\n' "$request" "$id" > sending.txt
  printf 'request %s is ${noun} %s\n' "$request" "$id"
}
finished() {
  printf '%s\n' "$request" >> sent.txt
  rm -f sending.txt
}
`
