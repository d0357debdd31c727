import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExportTargetName } from '@plantroom/contract/conversion'
import type { ManifestTicket } from '@plantroom/fpl/manifest'
import { writePackage } from '@plantroom/fpl/write-package'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { parse } from 'csv-parse/sync'
import { type ExportOptions, exportPackage } from '../export-package.ts'
import { TARGETS } from '../index.ts'

export type Files = Readonly<Record<string, string>>

/** Writes a package and returns its path. */
export async function packageOf(tickets: readonly ManifestTicket[], files: Files = {}): Promise<string> {
  const path = join(temporaryFolder(), 'site.fpl')
  const attachments = Object.entries(files).map(([name, content]) => ({ path: name, content: [Buffer.from(content)] }))
  await writePackage(path, { tickets, attachments: attachments.map(streamed) })
  return path
}

const streamed = ({ path, content }: { path: string; content: readonly Buffer[] }) => ({
  path,
  content: (async function* () {
    yield* content
  })(),
})

/** Exports a package and returns its files, and the account as rows of place, column, value and became. */
export async function exported(name: ExportTargetName, input: string, options: Partial<ExportOptions> = {}) {
  const folder = join(temporaryFolder(), name)
  const unplacedCsv = join(temporaryFolder(), 'unplaced.csv')
  const result = await exportPackage({ target: TARGETS[name], input, output: folder, unplacedCsv, ...options })
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const account = parse(readFileSync(unplacedCsv, 'utf8'), { columns: true }) as Record<string, string>[]
  return { folder, result, account, read, has: (file: string) => existsSync(join(folder, file)) }
}

/** The cells of a table, with its header. */
export const cellsIn = (text: string) => parse(text, { bom: true }) as string[][]
