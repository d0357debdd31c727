import { addedOnce, sendScript } from './send-script.ts'

/** Sends an export to Zammad. Part of the export, so that nobody has to copy it from a page. */
export const SEND_TO_ZAMMAD = sendScript({
  label: 'Zammad',
  about: `Sends the tickets of this folder to Zammad, with articles and files. Needs curl and jq. Run it in this folder:
  ZAMMAD=https://zammad.example.com TOKEN=... GROUP=Users CUSTOMER=nobody@example.com sh send.sh
Turn the import mode on first: otherwise Zammad mails customers and dates everything today.
CUSTOMER is the customer of requests without a reporter.`,
  variables: ['ZAMMAD', 'TOKEN', 'GROUP', 'CUSTOMER'],
  path: '/api/v1',
  header: 'Authorization: Token token=%s',
  main: `${addedOnce('Zammad', 'ticket')}
while read -r line; do
  printf '%s' "$line" > "$work/line.json"
  request=$(jq -c .externalId "$work/line.json")
  if grep -qxF -- "$request" sent.txt; then continue; fi
  if ! known; then
    jq .ticket.article "$work/line.json" > "$work/item.json"
    filled attachments data
    jq --arg group "$GROUP" --arg customer "guess:$CUSTOMER" '.ticket
      + {group: $group}
      + (if .ticket.customer then {} else {customer_id: $customer} end)
      | del(.article)' "$work/line.json" | sed '$s/}$//' > "$work/ticket.json"
    { cat "$work/ticket.json"; printf ',"article":'; cat "$work/body.json"; printf '}'; } > "$work/whole.json"
    mv "$work/whole.json" "$work/body.json"
    add tickets .id
  fi
  get "ticket_articles/by_ticket/$id"
  # The first one came with the ticket.
  jq -c --slurpfile there "$work/reply.json" '.articles[($there[0] | length) - 1:][]' "$work/line.json" > "$work/articles.json"
  while read -r article; do
    printf '%s' "$article" > "$work/article.json"
    jq --argjson ticket "$id" '. + {ticket_id: $ticket}' "$work/article.json" > "$work/item.json"
    filled attachments data
    send POST ticket_articles
    accepted 'POST ticket_articles'
  done < "$work/articles.json"
  finished
done < tickets.ndjson
`,
})
