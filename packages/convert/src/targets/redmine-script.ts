/** Sends an export to Redmine. Part of the export, so that nobody has to copy it from a page. */
export const SEND_TO_REDMINE = String.raw`#!/bin/sh
# Sends the issues of this folder to Redmine, with comments and files. Needs curl and jq. Run it in this folder:
#   REDMINE=https://redmine.example.com KEY=... PROJECT=identifier sh send.sh
# It skips what an earlier run has sent.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch sent.txt

api() { curl -sSf --retry 3 -H "X-Redmine-API-Key: $KEY" "$@"; }
send() { api -H 'Content-Type: application/json' --data-binary @- -X "$1" "$REDMINE/$2"; }

# Uploads the files that item.json names, and prints it with their tokens.
uploaded() {
  : > "$work/uploads.json"
  jq -c '.uploads[]?' "$work/item.json" > "$work/files.json"
  while read -r file; do
    printf '%s' "$file" > "$work/file.json"
    path=$(jq -r .path "$work/file.json")
    name=$(jq -r '.filename | @uri' "$work/file.json")
    api -H 'Content-Type: application/octet-stream' --data-binary "@$path" "$REDMINE/uploads.json?filename=$name" > "$work/token.json"
    jq -c --slurpfile reply "$work/token.json" 'del(.path) + {token: $reply[0].upload.token}' "$work/file.json" >> "$work/uploads.json"
  done < "$work/files.json"
  jq --slurpfile uploads "$work/uploads.json" '{issue: (. + {uploads: $uploads})}' "$work/item.json"
}

api "$REDMINE/issue_statuses.json" > "$work/statuses.json"
api "$REDMINE/enumerations/issue_priorities.json" > "$work/priorities.json"
offset=0
while
  api "$REDMINE/users.json?limit=100&offset=$offset" > "$work/page.json"
  cat "$work/page.json" >> "$work/users.json"
  [ "$(jq '.users | length' "$work/page.json")" -gt 0 ]
do offset=$((offset + 100)); done
offset=0
while
  api "$REDMINE/projects/$PROJECT/memberships.json?limit=100&offset=$offset" > "$work/page.json"
  cat "$work/page.json" >> "$work/members.json"
  [ "$(jq '.memberships | length' "$work/page.json")" -gt 0 ]
do offset=$((offset + 100)); done
# Only members of the project can be assigned or watch.
jq -s --slurpfile members "$work/members.json" '[$members[].memberships[].user.id] as $ids
  | [.[].users[] | select(.id as $id | $ids | index($id))]
  | map({key: (.mail | ascii_downcase), value: .id}) | from_entries' "$work/users.json" > "$work/people.json"

while read -r line; do
  printf '%s' "$line" > "$work/line.json"
  request=$(jq -c .externalId "$work/line.json")
  if grep -qxF -- "$request" sent.txt; then continue; fi
  jq --arg project "$PROJECT" --slurpfile people "$work/people.json" --slurpfile priorities "$work/priorities.json" '
    . as $line | $people[0] as $people
    | ($priorities[0].issue_priorities | map({key: .name, value: .id}) | from_entries)[.priority // ""] as $priority
    | ($people[.assignee // "" | ascii_downcase]) as $assignee
    | .issue + {project_id: $project, watcher_user_ids: [.watchers[] | $people[ascii_downcase] // empty]}
    + (if $priority then {priority_id: $priority} else {} end)
    + (if $assignee then {assigned_to_id: $assignee} else {} end)' "$work/line.json" > "$work/item.json"
  uploaded > "$work/body.json"
  send POST issues.json < "$work/body.json" > "$work/reply.json"
  id=$(jq .issue.id "$work/reply.json")
  printf 'request %s is issue %s\n' "$request" "$id"
  jq -c '.journals[]' "$work/line.json" > "$work/journals.json"
  while read -r journal; do
    printf '%s' "$journal" > "$work/item.json"
    uploaded > "$work/body.json"
    send PUT "issues/$id.json" < "$work/body.json" > /dev/null
  done < "$work/journals.json"
  jq --slurpfile statuses "$work/statuses.json" '.status as $name
    | {issue: {status_id: ($statuses[0].issue_statuses[] | select(.name == $name) | .id)}}' "$work/line.json" > "$work/body.json"
  if [ -s "$work/body.json" ]; then send PUT "issues/$id.json" < "$work/body.json" > /dev/null; fi
  api "$REDMINE/issues/$id.json" > "$work/reply.json"
  jq -r --slurpfile line "$work/line.json" 'select(.issue.status.name != $line[0].status)
    | "issue \(.issue.id) has the status \(.issue.status.name) instead of \($line[0].status): allow it in the workflow, then set it"' "$work/reply.json" >&2
  printf '%s\n' "$request" >> sent.txt
done < issues.ndjson
`
