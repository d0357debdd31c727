import type { SourceName } from '@plantroom/contract/conversion'

/** How much of a file a guess needs. */
export const HEAD_BYTES = 4096

/** Words that only one system writes, in the first line of its tables or the head of its documents. */
const MARKS: readonly [source: SourceName, marks: readonly RegExp[]][] = [
  ['jira', [/\bissue key\b/i, /<rss[^>]*>[\s\S]*jira/i]],
  ['redmine', [/^"?#"?[,;][\s\S]*\btracker\b/i, /<issues\b[^>]*type="array"/i, /"issues"\s*:\s*\[[\s\S]*"tracker"/]],
  ['rt', [/\brequestors?\b[\s\S]*\bqueue\b|\bqueue\b[\s\S]*\brequestors?\b/i]],
  ['zendesk', [/"requester_id"|"submitter_id"|zendesk/i]],
  ['glpi', [/\bglpi\b|\bopening date\b[\s\S]*\blast update\b|\blast update\b[\s\S]*\bopening date\b/i]],
]

/** Guesses the system that wrote an export from its name and its first bytes. */
export function guessSource(name: string, head: string): SourceName {
  const ending = name.toLowerCase().split('.').at(-1)
  if (ending === 'xlsx') return 'xlsx'
  const byContent = MARKS.find(([, marks]) => marks.some((mark) => mark.test(head)))
  if (byContent && ending !== 'zip') return byContent[0]
  const byName = MARKS.find(([source]) => source !== 'rt' && name.toLowerCase().includes(source))
  if (byName) return byName[0]
  return ending === 'json' || ending === 'ndjson' || ending === 'zip' ? 'zendesk' : ending === 'xml' ? 'jira' : 'csv'
}
