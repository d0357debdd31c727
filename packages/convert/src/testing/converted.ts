import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { csvLine } from '@plantroom/base/csv'
import type { Mapping } from '@plantroom/contract/conversion'
import { checkPackage } from '@plantroom/fpl/check-package'
import type { ManifestTicket } from '@plantroom/fpl/manifest'
import { openPackage, readManifest } from '@plantroom/fpl/read-package'
import { analyzeSource, type ConvertOptions, convertSource } from '../convert.ts'
import { SourceError } from '../source.ts'
import { csv } from '../sources/csv/index.ts'

/** Writes a table as CSV. The first row is the header. */
export function writeTable(folder: string, rows: readonly (readonly string[])[]): string {
  const path = join(folder, 'source.csv')
  writeFileSync(path, rows.map((cells) => csvLine(cells)).join(''))
  return path
}

/** Converts a table with the proposed mapping, or with parts of it replaced, and reads the checked package. */
export async function converted(
  folder: string,
  rows: readonly (readonly string[])[],
  change: Partial<Mapping> = {},
  options: Partial<ConvertOptions> = {},
) {
  const input = writeTable(folder, rows)
  const { mapping } = await analyzeSource(csv, [input])
  const output = join(folder, 'out.fpl')
  const unplacedCsv = join(folder, 'unplaced.csv')
  const result = await convertSource({
    kind: csv,
    inputs: [input],
    mapping: { ...mapping, ...change, columns: { ...mapping.columns, ...change.columns } },
    output,
    unplacedCsv,
    ...options,
  })
  const report = await checkPackage(output)
  return { result, report, tickets: await ticketsIn(output), account: readFileSync(unplacedCsv, 'utf8') }
}

export async function ticketsIn(path: string): Promise<ManifestTicket[]> {
  const tickets: ManifestTicket[] = []
  using opened = openPackage(path)
  await readManifest(opened, {
    root() {},
    field() {},
    ticket: (_index, value) => void tickets.push(value as ManifestTicket),
    ticketsEnd() {},
  })
  return tickets
}

/** Returns the problems of a conversion as `place: column: message`. */
export async function problemsOf(action: Promise<unknown>): Promise<string[]> {
  try {
    await action
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return error.problems.map(({ place, column, message }) => [place, column, message].filter(Boolean).join(': '))
  }
  return []
}
