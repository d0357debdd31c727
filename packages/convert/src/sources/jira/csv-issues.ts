import { createProblemList } from '../../problems.ts'
import { readTable, type TableRow } from '../csv/read-table.ts'
import type { JiraAttachment, JiraComment, JiraIssue } from './issue.ts'
import { englishColumn } from './languages.ts'

const COMMENT = 'Comment'
const ATTACHMENT = 'Attachment'
/** `03/Apr/26 2:05 PM;mari;Text` or `…;photo.jpg;https://…`, with any date that starts with a digit. */
const CELL = /^\s*(\d[^;\n]{5,40});([^;\n]*);([\s\S]*)$/

/** Yields the issues of a CSV export with all fields, and where each stands. Throws a `SourceError` at its end. */
export async function* csvIssues(
  path: string,
  encoding?: string,
): AsyncGenerator<{ place: string; issue: JiraIssue }, void> {
  const problems = createProblemList()
  try {
    for await (const row of readTable(path, { encoding })) {
      const place = `row ${row.line}`
      const columns = grouped(row)
      // A table that we wrote for the import of Jira has our ids.
      const key = (columns.get('Issue key') ?? columns.get('External id'))?.[0]?.trim()
      if (key === undefined) {
        const message = 'the issue has no key; export all fields'
        problems.add({ place, column: 'Issue key', message })
        continue
      }
      const comments = (columns.get(COMMENT) ?? []).map(commentOf)
      const attachments = (columns.get(ATTACHMENT) ?? []).map(attachmentOf)
      columns.delete(COMMENT)
      columns.delete(ATTACHMENT)
      yield { place, issue: { key, columns, comments, attachments } }
    }
  } catch (error) {
    problems.absorb(error)
  }
  problems.throwIfAny()
}

/** Jira repeats a header for every value: `Labels`, `Labels (2)`, `Labels (3)`. */
function grouped({ cells }: TableRow): Map<string, string[]> {
  const columns = new Map<string, string[]>()
  for (const [header, cell] of cells) {
    const single = /^(.+) \(\d+\)$/.exec(header)?.[1] ?? header
    const name = englishColumn(single)
    const column = isRepeated(name) || cells.has(single) ? name : englishColumn(header)
    const list = columns.get(column)
    if (list) list.push(cell)
    else columns.set(column, [cell])
  }
  return columns
}

const REPEATED: ReadonlySet<string> = new Set([
  ...[COMMENT, ATTACHMENT, 'Labels', 'Watchers', 'Watchers Id', 'Component', 'Components', 'Sprint', 'Log Work'],
])
const LINK = ' issue link ('

/** Columns whose first cell may be empty while a later one is not: `Labels`, `Inward issue link (Blocks)`. */
function isRepeated(name: string): boolean {
  if (REPEATED.has(name)) return true
  const link = name.indexOf(LINK, 1)
  return link !== -1 && name.endsWith(')') && name.length > link + LINK.length + 1
}

function commentOf(cell: string): JiraComment {
  const [, createdAt, author, text] = CELL.exec(cell) ?? []
  if (text === undefined) return { createdAt: undefined, author: undefined, text: cell, isInternal: false }
  return { createdAt: createdAt?.trim(), author: author?.trim() || undefined, text, isInternal: false }
}

function attachmentOf(cell: string): JiraAttachment {
  const [, date, author, place] = CELL.exec(cell.trimEnd()) ?? []
  const [name, url] = nameAndUrl(place)
  if (name === undefined) return { name: cell.trim(), id: undefined, url: undefined, details: cell.trim() }
  const id = /\/attachment(?:\/content)?\/(\d+)/.exec(url ?? '')?.[1]
  return { name: name.trim(), id, url, details: [date?.trim(), author?.trim(), url].filter(Boolean).join(', ') }
}

/** Takes `photo.jpg;https://…` apart; a name may contain semicolons. */
function nameAndUrl(place = ''): [name: string, url: string] | [] {
  const semicolon = place.lastIndexOf(';', place.length - 2)
  const url = place.slice(semicolon + 1).trimStart()
  return semicolon < 0 || url === '' || /\s/.test(url) ? [] : [place.slice(0, semicolon), url]
}
