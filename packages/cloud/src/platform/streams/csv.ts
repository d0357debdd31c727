import { Readable } from 'node:stream'
import { type CsvCell, csvLine } from '@plantroom/base/csv'
import type { FastifyReply } from 'fastify'

/** A page of items; `next` identifies the following page and is `null` on the last one. */
export interface CsvPage<Item> {
  items: readonly Item[]
  next: string | null
}

interface CsvList<Item> {
  /** Used in a header as it is, so it must not contain user input. */
  filename: string
  columns: readonly string[]
  /** Gets the `next` of the previous page; `undefined` for the first. */
  read(after: string | undefined): Promise<CsvPage<Item>>
  cells(item: Item): readonly CsvCell[]
}

/**
 * Answers with a CSV file, page by page, so that a long list never has to fit in memory. Throws when the first page
 * fails; a later failure cuts the answer off.
 */
export async function sendCsv<Item>(reply: FastifyReply, list: CsvList<Item>): Promise<FastifyReply> {
  const first = await list.read(undefined)
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${list.filename}"`)
    .send(Readable.from(csvText(list, first), { objectMode: false }))
}

async function* csvText<Item>({ columns, read, cells }: CsvList<Item>, first: CsvPage<Item>): AsyncGenerator<string> {
  yield csvLine(columns)
  for (let page: CsvPage<Item> = first; ; page = await read(page.next)) {
    if (page.items.length > 0) yield page.items.map((item) => csvLine(cells(item))).join('')
    if (page.next === null) return
  }
}
