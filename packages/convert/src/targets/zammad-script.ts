/** Sends an export to Zammad. Part of the export, so that nobody has to copy it from a page. */
export const SEND_TO_ZAMMAD = String.raw`#!/bin/sh
# Sends the tickets of this folder to Zammad, with articles and files. Needs curl and jq 1.6. Run it in this folder:
#   ZAMMAD=https://zammad.example.com TOKEN=... GROUP=Users CUSTOMER=nobody@example.com sh send.sh
# Turn the import mode on first: otherwise Zammad mails customers and dates everything today.
# CUSTOMER is the customer of requests without a reporter. It skips what an earlier run has sent.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch sent.txt

send() {
  curl -sSf --retry 3 -H "Authorization: Token token=$TOKEN" -H 'Content-Type: application/json' --data-binary @- "$ZAMMAD/api/v1/$1"
}

# Prints the article of item.json with the content of its files.
filled() {
  : > "$work/attachments.json"
  jq -c '.attachments[]?' "$work/item.json" > "$work/files.json"
  while read -r file; do
    printf '%s' "$file" > "$work/file.json"
    base64 < "$(jq -r .path "$work/file.json")" | tr -d '\n' > "$work/data.txt"
    jq -c --rawfile data "$work/data.txt" 'del(.path) + {data: $data}' "$work/file.json" >> "$work/attachments.json"
  done < "$work/files.json"
  jq --slurpfile attachments "$work/attachments.json" '. + {attachments: $attachments}' "$work/item.json"
}

while read -r line; do
  printf '%s' "$line" > "$work/line.json"
  request=$(jq -c .externalId "$work/line.json")
  if grep -qxF -- "$request" sent.txt; then continue; fi
  jq .ticket.article "$work/line.json" > "$work/item.json"
  filled > "$work/article.json"
  jq --arg group "$GROUP" --arg customer "guess:$CUSTOMER" --slurpfile article "$work/article.json" '.ticket
    + {group: $group, article: $article[0]}
    + (if .ticket.customer then {} else {customer_id: $customer} end)' "$work/line.json" > "$work/body.json"
  send tickets < "$work/body.json" > "$work/reply.json"
  id=$(jq .id "$work/reply.json")
  printf 'request %s is ticket %s\n' "$request" "$id"
  jq -c '.articles[]' "$work/line.json" > "$work/articles.json"
  while read -r article; do
    printf '%s' "$article" > "$work/item.json"
    filled | jq --argjson ticket "$id" '. + {ticket_id: $ticket}' > "$work/body.json"
    send ticket_articles < "$work/body.json" > /dev/null
  done < "$work/articles.json"
  printf '%s\n' "$request" >> sent.txt
done < tickets.ndjson
`
