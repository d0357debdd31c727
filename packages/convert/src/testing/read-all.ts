import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { type Source, SourceError, type SourceKind, type SourceProblem, type SourceRecord } from '../source.ts'

/** What an export contains, in the numbers that a person would count. */
export interface Counts {
  readonly records: number
  readonly comments: number
  /** Of requests and of comments. */
  readonly files: number
}

/** Reads an export to its end. */
export async function readAll(kind: SourceKind, inputs: readonly string[]): Promise<SourceRecord[]> {
  await using source = await kind.open(inputs)
  return await recordsOf(source)
}

export async function recordsOf(source: Source): Promise<SourceRecord[]> {
  const records: SourceRecord[] = []
  for await (const record of source.records()) records.push(record)
  return records
}

/** Returns the problems of an export that cannot be read. */
export async function problemsOf(kind: SourceKind, inputs: readonly string[]): Promise<readonly SourceProblem[]> {
  try {
    await readAll(kind, inputs)
  } catch (error) {
    if (error instanceof SourceError) return error.problems
    throw error
  }
  throw new Error('the export was read without a problem')
}

export function countsOf(records: readonly SourceRecord[]): Counts {
  const comments = records.flatMap((record) => record.comments)
  return {
    records: records.length,
    comments: comments.length,
    files: [...records, ...comments].flatMap(({ files }) => files).length,
  }
}

/** Writes files for the running test and returns their paths. */
export function written(files: Readonly<Record<string, string | Uint8Array>>): string[] {
  const folder = temporaryFolder()
  return Object.entries(files).map(([name, content]) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  })
}
