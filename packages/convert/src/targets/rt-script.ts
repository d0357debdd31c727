import { sendScript } from './send-script.ts'

/** Sends an export to Request Tracker. Part of the export, so that nobody has to copy it from a page. */
export const SEND_TO_RT = sendScript({
  label: 'RT',
  about: `Sends the tickets of this folder to Request Tracker 5, with comments and files. Needs curl and jq. Run it in this folder:
  RT=https://rt.example.com TOKEN=1-14-... QUEUE=Maintenance sh send.sh
RT mails people about new tickets, replies and resolved tickets. So the script adds people to a ticket last, when there is nothing
left to mail, and stops as soon as RT has sent a mail. RT mails every new owner too: turn off RT's mail and set MAIL=off, then
the script sets owners as well, and sends to queues with watchers.`,
  variables: ['RT', 'TOKEN', 'QUEUE'],
  path: '/REST/2.0',
  header: 'Authorization: token %s',
  main: String.raw`
mail=${'$'}{MAIL:-on}
put() {
  send PUT "ticket/$id"
  accepted "PUT ticket/$id"
}
# Sets $id to the ticket that has a link, or to nothing.
find_ticket() {
  get "tickets?query=Queue%3D$queue%20AND%20RefersTo%3D%27$1%27"
  id=$(jq -r '.items[0].id // empty' "$work/reply.json")
}
# Lists the types of the transactions of a ticket in types.txt.
read_history() {
  : > "$work/types.txt"
  page=1
  while
    get "ticket/$id/history?fields=Type&per_page=100&page=$page"
    jq -r '.items[].Type' "$work/reply.json" >> "$work/types.txt"
    [ "$page" -lt "$(jq .pages "$work/reply.json")" ]
  do page=$((page + 1)); done
  if [ "$mail" != off ] && grep -q 'EmailRecord$' "$work/types.txt"; then
    stop "RT sent mail about ticket $id: see its history. Turn off RT's mail and set MAIL=off, or use a queue without scrips that mail people."
  fi
}
# Adds the people of a ROLE one by one, because RT fails for a list with an address that it refuses.
add_people() {
  jq -c --arg role "$1" '.people[$role][]?' "$work/line.json" > "$work/addresses.json"
  printf '[]' > "$work/added.json"
  while read -r address; do
    printf '%s' "$address" > "$work/address.json"
    jq -c --slurpfile address "$work/address.json" '. + $address' "$work/added.json" > "$work/more.json"
    jq -c --arg role "$1" '{($role): .}' "$work/more.json" > "$work/body.json"
    send PUT "ticket/$id"
    case $status in
      5??) printf 'ticket %s: RT does not take %s as %s\n' "$id" "$address" "$1" >&2 ;;
      *) accepted "PUT ticket/$id" && mv "$work/more.json" "$work/added.json" ;;
    esac
  done < "$work/addresses.json"
}
set_owner() {
  jq -c '[{field: "EmailAddress", value: .owner}]' "$work/line.json" > "$work/body.json"
  send POST users
  accepted 'POST users'
  jq -c 'select(.total == 1) | {Owner: .items[0].id}' "$work/reply.json" > "$work/body.json"
  if [ -s "$work/body.json" ]; then put; fi
}

jq -n --arg name "$QUEUE" '[{field: "Name", value: $name}]' > "$work/body.json"
send POST queues
accepted 'POST queues'
queue=$(jq -r '.items[0].id // empty' "$work/reply.json")
[ -n "$queue" ] || stop "RT has no queue $QUEUE, or the owner of the token does not see it"
get "queue/$queue"
if [ "$mail" != off ] && [ "$(jq '[.Cc, .AdminCc] | flatten | length' "$work/reply.json")" -gt 0 ]; then
  stop "RT mails the watchers of the queue $QUEUE about every ticket. Remove them, or turn off RT's mail and set MAIL=off."
fi

while read -r line; do
  printf '%s' "$line" > "$work/line.json"
  request=$(jq -c .externalId "$work/line.json")
  if grep -qxF -- "$request" sent.txt; then continue; fi
  mark=$(jq -r .mark "$work/line.json")
  find_ticket "$mark"
  if [ -n "$id" ]; then
    printf 'request %s is in RT already: ticket %s\n' "$request" "$id"
    printf '%s\n' "$request" >> sent.txt
    continue
  fi
  find_ticket "$mark/sending"
  if [ -z "$id" ]; then
    jq --arg queue "$queue" --arg link "$mark/sending" '.ticket + {Queue: $queue, RefersTo: $link}' "$work/line.json" > "$work/item.json"
    filled Attachments FileContent
    send POST ticket
    accepted 'POST ticket'
    id=$(jq -r .id "$work/reply.json")
  fi
  printf 'request %s is ticket %s\n' "$request" "$id"
  read_history
  there=$(grep -cxE 'Comment|Correspond' "$work/types.txt" || :)
  jq -c --argjson there "$there" '.messages[$there:][]' "$work/line.json" > "$work/messages.json"
  while read -r message; do
    printf '%s' "$message" > "$work/message.json"
    type=$(jq -r 'if .isInternal then "comment" else "correspond" end' "$work/message.json")
    jq 'del(.isInternal)' "$work/message.json" > "$work/item.json"
    filled Attachments FileContent
    send POST "ticket/$id/$type"
    accepted "POST ticket/$id/$type"
  done < "$work/messages.json"
  jq '{Status: .status}' "$work/line.json" > "$work/body.json"
  put
  jq -c 'select(.resolved) | {Resolved: .resolved}' "$work/line.json" > "$work/body.json"
  if [ -s "$work/body.json" ]; then put; fi
  read_history
  for role in Requestor Cc AdminCc; do add_people "$role"; done
  if [ "$mail" = off ] && [ "$(jq 'has("owner")' "$work/line.json")" = true ]; then set_owner; fi
  jq -n --arg link "$mark" '{RefersTo: [$link]}' > "$work/body.json"
  put
  get "ticket/$id"
  jq -r --slurpfile line "$work/line.json" 'select(.Status != $line[0].status)
    | "ticket \(.id) has the status \(.Status) instead of \($line[0].status): allow it in the lifecycle of the queue, then set it"' "$work/reply.json" >&2
  printf '%s\n' "$request" >> sent.txt
done < tickets.ndjson
`,
})
