import type { SourceName } from '@plantroom/contract/conversion'

/** How much of a file a guess needs. */
export const HEAD_BYTES = 4096

/** Words that only one system writes together, in the first line of its tables or the head of its documents. */
const MARKS: readonly [source: SourceName, marks: readonly (readonly RegExp[])[]][] = [
  [
    'jira',
    [
      [/\bissue key\b|vorgangsschlüssel|clé de (ticket|demande)|clave de incidencia|chave d[ao] item/i],
      [/chiave (ticket|segnalazione)|issuesleutel|klucz zgłoszenia/i],
      [/<rss/i, /jira/i],
    ],
  ],
  [
    'redmine',
    [
      [/^"?#"?[,;]/, /\btracker\b|[,;](tipo|typ zagadnienia|valdkond)[,;]/i],
      [/<issues\b/i, /type="array"/i],
      [/"issues"\s*:\s*\[/, /"tracker"/],
    ],
  ],
  ['zammad', [[/"customer_id"/, /"group_id"/]]],
  ['osticket', [[/^\s*\{"kind": ?"(ticket|value|entry|file|user|staff|collaborator|chunk)"/]]],
  [
    'rt',
    [
      [/\brequestors?\b/i, /\bqueue\b/i],
      // German, French, Spanish, Portuguese, Italian, Dutch, Polish, Estonian.
      [
        /\t(auftraggeber|demandeurs|solicitantes|requerentes|requisitantes|richiedenti|aanvragers|zgłaszający|nõudjad)\t/i,
      ],
    ],
  ],
  ['zendesk', [[/"requester_id"|"submitter_id"|zendesk/i]]],
  ['glpi', [[/\bglpi\b/i], [/\bopening date\b/i, /\blast update\b/i], [/^"?ID"?;/, /"([^"-]{3,40}) - \1"/]]],
]

/** Guesses the system that wrote an export from its name and its first bytes. */
export function guessSource(name: string, head: string): SourceName {
  const ending = name.toLowerCase().split('.').at(-1)
  if (ending === 'xlsx') return 'xlsx'
  const byContent = MARKS.find(([, marks]) => marks.some((words) => words.every((word) => word.test(head))))
  if (byContent && ending !== 'zip') return byContent[0]
  const byName = MARKS.find(([source]) => source !== 'rt' && name.toLowerCase().includes(source))
  if (byName) return byName[0]
  return ending === 'json' || ending === 'ndjson' || ending === 'zip' ? 'zendesk' : ending === 'xml' ? 'jira' : 'csv'
}
