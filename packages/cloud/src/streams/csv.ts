import { Readable } from 'node:stream'
import { type CsvCell, csvLine } from '@plantroom/base/csv'
import type { FastifyReply } from 'fastify'

/** `next` is what the page after this one is asked for by; `null` on the last. */
export interface CsvPage<Item> {
  items: readonly Item[]
  next: string | null
}

interface CsvList<Item> {
  /** As it stands in a header: nothing that comes from outside. */
  filename: string
  columns: readonly string[]
  /** Is given the `next` of the page before, first `undefined`. */
  read(after: string | undefined): Promise<CsvPage<Item>>
  cells(item: Item): readonly CsvCell[]
}

/**
 * Answers with a file of CSV, page after page, so that a list of any length is never whole in memory. What goes wrong
 * with the first page is thrown; later the answer has begun, and is cut off.
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
