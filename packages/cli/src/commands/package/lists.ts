import { extname } from 'node:path'
import { csvLine } from '@plantroom/base/csv'
import type { Client } from '@plantroom/client/client'
import { pages } from '@plantroom/client/pages'
import { createAtomicFile } from '../../atomic-file.ts'
import type { SiteIds } from '../../clients.ts'
import { UsageError, valued } from '../../command.ts'
import { onTermination } from '../../on-termination.ts'

const PAGE = 10_000

/** The content of a list: rows with these columns, written as CSV or as a JSON array. */
interface List {
  columns: readonly string[]
  rows: AsyncIterable<Readonly<Record<string, string | number | null>>>
}

type JobIds = SiteIds & { jobId: string }

/** Flags of the commands that can write lists about a job. */
export const LIST_FLAGS = {
  report: valued('FILE', 'write every problem to a .csv or .json file: path,value,rule', { completes: 'file' }),
  numbers: valued('FILE', 'write the number of each imported request to a .csv or .json file: externalId,number', {
    completes: 'file',
  }),
} as const

export interface ListFlags {
  json?: boolean | undefined
  report?: string | undefined
  numbers?: string | undefined
}

/** Rejects, before any work starts, file names that a list cannot be written to. */
export function requireListNames({ report, numbers }: ListFlags): void {
  requireListName('--report', report)
  requireListName('--numbers', numbers)
}

/** Rejects a file name without the extension of a list. */
export function requireListName(flag: string, path: string | undefined): void {
  if (path === undefined || ['.csv', '.json'].includes(extname(path).toLowerCase())) return
  throw new UsageError(`${flag} ${path} must end in .csv or .json`)
}

/** Yields all problems of a job's package. */
export async function* problemsOf(client: Pick<Client, 'listJobProblems'>, job: JobIds) {
  for await (const page of pages((cursor) => client.listJobProblems({ ...job, query: { limit: PAGE, cursor } })))
    for (const { path, value, rule } of page.problems) yield { path, value, rule }
}

/** Yields the number that the site gave to each request of the source system. */
export async function* numbersOf(client: Pick<Client, 'listJobNumbers'>, job: JobIds) {
  for await (const page of pages((cursor) => client.listJobNumbers({ ...job, query: { limit: PAGE, cursor } })))
    for (const { externalId, number } of page.numbers) yield { externalId, number }
}

/** Writes a list row by row; the file appears complete or not at all. Returns the number of rows. */
export async function writeList(path: string, { columns, rows }: List): Promise<number> {
  const isJson = extname(path).toLowerCase() === '.json'
  const file = createAtomicFile(path)
  using _signals = onTermination(file.discard)
  try {
    let count = 0
    file.write(isJson ? '[' : csvLine(columns))
    for await (const row of rows) {
      if (isJson) file.write(`${count > 0 ? ',' : ''}\n${JSON.stringify(row)}`)
      else file.write(csvLine(columns.map((name) => String(row[name] ?? ''))))
      count += 1
    }
    if (isJson) file.write(count > 0 ? '\n]\n' : ']\n')
    file.commit()
    return count
  } finally {
    file.discard()
  }
}
