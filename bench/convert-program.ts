import { createReadStream, readFileSync } from 'node:fs'
import { convertSource } from '@plantroom/convert/convert'
import { SOURCES } from '@plantroom/convert/sources'
import { openArchive } from '@plantroom/fpl/read-archive'
import { parse } from 'csv-parse'
import { SaxesParser } from 'saxes'
import { MAPPING } from './convert-tables.ts'

/** Runs one conversion, or its floor, in its own process. Arguments: `convert` or `floor`, the kind, the input, the output. */
const [what, kind, input = '', output = ''] = process.argv.slice(2)
const from = performance.now()
if (what === 'convert') {
  await convertSource({ kind: SOURCES[kind === 'xlsx' ? 'xlsx' : 'csv'], inputs: [input], mapping: MAPPING, output })
} else if (kind === 'csv') {
  for await (const _row of createReadStream(input).pipe(parse()));
} else await parseSheet(input)
const ms = performance.now() - from
const peakKb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
process.stdout.write(JSON.stringify({ ms, peakMb: peakKb / 1024 }))

async function parseSheet(path: string): Promise<void> {
  using archive = openArchive(path)
  const entry = archive.find('xl/worksheets/sheet1.xml')
  if (!entry) throw new Error('the workbook has no sheet')
  const parser = new SaxesParser({ xmlns: false, position: false })
  const decoder = new TextDecoder()
  for await (const bytes of archive.content(entry)) parser.write(decoder.decode(bytes, { stream: true }))
  parser.close()
}
