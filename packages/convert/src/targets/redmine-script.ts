import { addedOnce, sendScript } from './send-script.ts'

/** Sends an export to Redmine. Part of the export, so that nobody has to copy it from a page. */
export const SEND_TO_REDMINE = sendScript({
  label: 'Redmine',
  about: `Sends the issues of this folder to Redmine, with comments and files. Needs curl and jq. Run it in this folder:
  REDMINE=https://redmine.example.com KEY=... PROJECT=identifier sh send.sh
Turn off Redmine's email notifications first: it mails assignees and watchers.`,
  variables: ['REDMINE', 'KEY', 'PROJECT'],
  path: '',
  header: 'X-Redmine-API-Key: %s',
  main: String.raw`${addedOnce('Redmine', 'issue')}change() {
  send PUT "issues/$id.json"
  accepted "PUT issues/$id.json"
}
# Uploads the files that item.json names, and writes it to body.json with their tokens.
uploaded() {
  : > "$work/uploads.json"
  jq -c '.uploads[]?' "$work/item.json" > "$work/files.json"
  while read -r file; do
    printf '%s' "$file" > "$work/file.json"
    path=$(jq -r .path "$work/file.json")
    fits "$path" || continue
    name=$(jq -r '.filename | @uri' "$work/file.json")
    send POST "uploads.json?filename=$name" "$path" application/octet-stream
    accepted 'POST uploads.json'
    jq -c --slurpfile reply "$work/reply.json" 'del(.path) + {token: $reply[0].upload.token}' "$work/file.json" >> "$work/uploads.json"
  done < "$work/files.json"
  jq --slurpfile uploads "$work/uploads.json" '{issue: (. + {uploads: $uploads})}' "$work/item.json" > "$work/body.json"
}

get issue_statuses.json
mv "$work/reply.json" "$work/statuses.json"
get enumerations/issue_priorities.json
mv "$work/reply.json" "$work/priorities.json"
offset=0
while
  get "users.json?limit=100&offset=$offset"
  cat "$work/reply.json" >> "$work/users.json"
  [ "$(jq '.users | length' "$work/reply.json")" -gt 0 ]
do offset=$((offset + 100)); done
offset=0
while
  get "projects/$PROJECT/memberships.json?limit=100&offset=$offset"
  cat "$work/reply.json" >> "$work/members.json"
  [ "$(jq '.memberships | length' "$work/reply.json")" -gt 0 ]
do offset=$((offset + 100)); done
# Only members of the project can be assigned or watch.
jq -s --slurpfile members "$work/members.json" '[$members[].memberships[].user.id] as $ids
  | [.[].users[] | select(.id as $id | $ids | index($id))]
  | map({key: (.mail | ascii_downcase), value: .id}) | from_entries' "$work/users.json" > "$work/people.json"

while read -r line; do
  printf '%s' "$line" > "$work/line.json"
  request=$(jq -c .externalId "$work/line.json")
  if grep -qxF -- "$request" sent.txt; then continue; fi
  if ! known; then
    jq --arg project "$PROJECT" --slurpfile people "$work/people.json" --slurpfile priorities "$work/priorities.json" '
      . as $line | $people[0] as $people
      | ($priorities[0].issue_priorities | map({key: .name, value: .id}) | from_entries)[.priority // ""] as $priority
      | ($people[.assignee // "" | ascii_downcase]) as $assignee
      | .issue + {project_id: $project, watcher_user_ids: [.watchers[] | $people[ascii_downcase] // empty]}
      + (if $priority then {priority_id: $priority} else {} end)
      + (if $assignee then {assigned_to_id: $assignee} else {} end)' "$work/line.json" > "$work/item.json"
    uploaded
    add issues.json .issue.id
  fi
  get "issues/$id.json?include=journals"
  jq -c --slurpfile reply "$work/reply.json" '.journals[($reply[0].issue.journals | length):][]' "$work/line.json" > "$work/journals.json"
  while read -r journal; do
    printf '%s' "$journal" > "$work/item.json"
    uploaded
    change
  done < "$work/journals.json"
  jq --slurpfile statuses "$work/statuses.json" '.status as $name
    | {issue: {status_id: ($statuses[0].issue_statuses[] | select(.name == $name) | .id)}}' "$work/line.json" > "$work/body.json"
  if [ -s "$work/body.json" ]; then change; fi
  get "issues/$id.json"
  jq -r --slurpfile line "$work/line.json" 'select(.issue.status.name != $line[0].status)
    | "issue \(.issue.id) has the status \(.issue.status.name) instead of \($line[0].status): allow it in the workflow, then set it"' "$work/reply.json" >&2
  finished
done < issues.ndjson
`,
})
