import { unguarded } from '@plantroom/base/csv'
import { shown } from '@plantroom/contract/shown'
import { lastPart } from '../../files/file-names.ts'
import { COMMENT_COLUMNS } from '../../parts/own-columns.ts'
import { type SourceComment, SourceError } from '../../source.ts'
import { type TableForm, tableColumns, tableForm, tableRows } from './read-table.ts'

/** Our own table of comments, in the order of its requests. */
export interface CommentTable {
  readonly path: string
  readonly form: TableForm
}

/** Returns the table if its columns are those that `plantroom package to csv` writes. */
export async function commentTable(path: string, encoding: string | undefined): Promise<CommentTable | undefined> {
  const form = await tableForm(path, { encoding })
  const columns = await tableColumns(path, form)
  return COMMENT_COLUMNS.every((column) => columns.includes(column)) ? { path, form } : undefined
}

/** Reads a table of comments beside the requests, in bounded memory: both have the same order. */
export interface CommentReader extends AsyncDisposable {
  /** Returns the comments of the next request. */
  of(request: string): Promise<SourceComment[]>
  /** Throws a `SourceError` if comments are left. */
  end(): void
}

export async function readComments({ path, form }: CommentTable): Promise<CommentReader> {
  const rows = tableRows(path, form)
  const read = async () => {
    const { done, value } = await rows.next()
    return done ? undefined : value
  }
  let next = await read()
  return {
    async of(request) {
      const comments: SourceComment[] = []
      while (next && cellOf(next.cells, 'Request') === request) {
        comments.push(commentOf(next.cells, `comment in row ${next.line}`))
        next = await read()
      }
      return comments
    },
    end() {
      if (!next) return
      const request = shown(cellOf(next.cells, 'Request') ?? '', 60)
      const message = `the request ${request} is not in the other table, or not in the same order; sort both as they were`
      throw new SourceError([{ place: `comment in row ${next.line}`, column: 'Request', message }])
    },
    async [Symbol.asyncDispose]() {
      await rows.return()
    },
  }
}

type Column = (typeof COMMENT_COLUMNS)[number]

function cellOf(cells: ReadonlyMap<string, string>, column: Column): string | undefined {
  const cell = cells.get(column)
  return cell === undefined ? undefined : unguarded(cell)
}

function commentOf(cells: ReadonlyMap<string, string>, place: string): SourceComment {
  const author = {
    name: cellOf(cells, 'Author name'),
    email: cellOf(cells, 'Author email'),
    phone: cellOf(cells, 'Author phone'),
  }
  const paths = (cellOf(cells, 'Attachments') ?? '').split('\n').flatMap((path) => path.trim() || [])
  return {
    place,
    author,
    createdAt: cellOf(cells, 'Created at'),
    text: cellOf(cells, 'Content') ?? '',
    isHtml: false,
    files: paths.map((path) => ({ name: lastPart(path), paths: [path] })),
  }
}
