import { unguarded } from '@plantroom/base/csv'
import type { ManifestAttachment, ManifestTicket } from '@plantroom/fpl/manifest'
import { lastPart } from '../files/file-names.ts'
import { COMMENT_COLUMNS, OWN_COLUMNS } from '../parts/own-columns.ts'
import { createTable } from './table.ts'
import type { ExportTarget, TargetDeps } from './target.ts'
import { BECAME, fieldTexts, LIST_SEPARATOR, timeText } from './values.ts'

const FIELDS = Object.values(OWN_COLUMNS)
/** The fields of the columns of comments, for the account. */
const COMMENT_FIELDS = [
  ...['externalId', 'comment', 'author.name', 'author.email', 'author.phone', 'createdAt', 'content', 'attachments'],
]
const LISTS = ['tags', 'watchers', 'ccEmails'] as const

/** Two tables that every spreadsheet opens, and that `plantroom package from csv` reads with the mapping beside them. */
export const csv: ExportTarget = {
  name: 'csv',
  label: 'CSV',
  files: ['requests.csv', 'comments.csv', 'mapping.yaml'],
  open(deps) {
    const table = createTable(deps, unguarded)
    return {
      begin: () => [table.head(Object.keys(OWN_COLUMNS)), table.head(COMMENT_COLUMNS), mappingText()],
      write(place, ticket) {
        accountForLists(place, ticket, deps)
        const files = filesText(place, ticket.attachments, deps)
        const texts = fieldTexts(ticket)
        const cells = FIELDS.map((field) => (field === 'attachments' ? files : (texts.get(field) ?? '')))
        const comments = (ticket.comments ?? []).map((comment, index) => {
          const at = `${place}, comment ${index + 1}`
          const { name, email, phone } = comment.author ?? {}
          const row = [
            ...[ticket.externalId, String(index + 1), name ?? '', email ?? '', phone ?? ''],
            comment.createdAt ? timeText(comment.createdAt) : '',
            ...[comment.content, filesText(at, comment.attachments, deps)],
          ]
          return table.row(at, COMMENT_FIELDS, row)
        })
        return [table.row(place, FIELDS, cells), comments.join(''), '']
      },
    }
  },
}

/** Lists the files of a request or a comment. A table has no place for their types. */
function filesText(
  place: string,
  attachments: readonly ManifestAttachment[] | undefined,
  { account, fileOf }: TargetDeps,
): string {
  const paths = (attachments ?? []).map((attachment) => {
    const { path, name, contentType } = fileOf(attachment)
    if (lastPart(path) !== name) account.add(place, 'attachments', name, BECAME.fileName)
    if (contentType !== undefined) account.add(place, 'attachments.contentType', contentType, BECAME.leftOut)
    return path
  })
  return paths.join(LIST_SEPARATOR)
}

function accountForLists(place: string, ticket: ManifestTicket, { account }: TargetDeps): void {
  for (const field of LISTS) {
    for (const value of ticket[field] ?? []) {
      if (value.includes(LIST_SEPARATOR)) account.add(place, field, value, BECAME.split)
    }
  }
}

/** How `plantroom package from csv` reads the tables again. JSON texts are YAML texts too. */
function mappingText(): string {
  const columns = Object.entries(OWN_COLUMNS).map(([column, target]) => `  ${JSON.stringify(column)}: ${target}`)
  const priorities = [0, 1, 2, 3].map((priority) => `  "${priority}": ${priority}`)
  return `${[
    '# Reads the tables again: plantroom package from csv requests.csv comments.csv --map mapping.yaml --attachments . -o site.fpl',
    ...['timeZone: "UTC"', 'dateOrder: dmy', 'columns:', ...columns, 'states: {}', 'otherState: new'],
    ...['priorities:', ...priorities, `separator: ${JSON.stringify(LIST_SEPARATOR)}`],
  ].join('\n')}\n`
}
