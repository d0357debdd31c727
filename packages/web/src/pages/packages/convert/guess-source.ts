import type { SourceName } from '@plantroom/contract/conversion'

/** How much of a file a guess needs. */
export const HEAD_BYTES = 4096

/** Words that only one system writes together, in the first line of its tables or the head of its documents. */
const MARKS: readonly [source: SourceName, marks: readonly (readonly RegExp[])[]][] = [
  ['jira', [[/\bissue key\b/i], [/<rss/i, /jira/i]]],
  [
    'redmine',
    [
      [/^"?#"?[,;]/, /\btracker\b/i],
      [/<issues\b/i, /type="array"/i],
      [/"issues"\s*:\s*\[/, /"tracker"/],
    ],
  ],
  ['rt', [[/\brequestors?\b/i, /\bqueue\b/i]]],
  ['zendesk', [[/"requester_id"|"submitter_id"|zendesk/i]]],
  ['glpi', [[/\bglpi\b/i], [/\bopening date\b/i, /\blast update\b/i]]],
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
