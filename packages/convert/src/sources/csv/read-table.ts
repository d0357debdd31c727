import { createReadStream } from 'node:fs'
import { parse } from 'csv-parse'
import { SourceError } from '../../source.ts'

/** Reads a table, one row at a time. */
export async function* readTable(path: string): AsyncIterable<{ line: number; cells: ReadonlyMap<string, string> }> {
  const parser = createReadStream(path).pipe(parse({ bom: true, info: true, relax_column_count: true }))
  let heads: string[] | undefined
  for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
    if (!heads) heads = record
    else if (record.length !== heads.length) {
      const message = `has ${record.length} cells instead of ${heads.length}: check its quotes and separators`
      throw new SourceError([{ place: `row ${info.lines}`, column: `column ${heads.length + 1}`, message }])
    } else yield { line: info.lines, cells: new Map(heads.map((head, index) => [head, record[index] ?? ''])) }
  }
}
