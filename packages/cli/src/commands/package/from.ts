import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import {
  type ConversionResult,
  DATE_ORDERS,
  type DateOrder,
  type Mapping,
  SOURCE_NAMES,
  type SourceName,
} from '@plantroom/contract/conversion'
import { MAPPING_PRESETS } from '@plantroom/contract/conversion-jobs'
import { isTimeZone } from '@plantroom/contract/site-time'
import { flawOfPackageName } from '@plantroom/fpl/package-name'
import { createAtomicFile } from '../../atomic-file.ts'
import { COMMON_FLAGS, flag, type parse, ReportedFailure, required, UsageError, valued } from '../../command.ts'
import { verb } from '../../declare.ts'
import { print, printable } from '../../output.ts'
import { createProgressBar } from '../../progress-bar.ts'
import { abortedBySignal } from './aborted-by-signal.ts'
import { describeConversion } from './describe-conversion.ts'
import { counted } from './report.ts'
import { describeProblems, type Problem, writeProblems } from './source-problems.ts'

const FILE = { completes: 'file' } as const
const FLAGS = {
  json: COMMON_FLAGS.json,
  output: valued('FILE', 'the package; replaced completely, or left alone if the source has problems', {
    short: 'o',
    ...FILE,
  }),
  map: valued('FILE', 'use this mapping of columns; written if it does not exist, and nothing is converted then', FILE),
  preset: valued('NAME', 'begin a new mapping with the columns of this program', { choices: MAPPING_PRESETS }),
  'time-zone': valued('ZONE', 'of dates that name none; default that of this computer'),
  'date-order': valued('ORDER', 'of dates such as 03/04/2026: dmy or mdy; needed only if every date fits both', {
    choices: DATE_ORDERS,
  }),
  attachments: valued('PATH', 'folder or ZIP file with the attachments', FILE),
  'allow-missing': flag('list attachments that are missing instead of failing'),
  unplaced: valued('FILE', 'list values without a field, and where they went: place,column,value,became', FILE),
  problems: valued('FILE', 'write every problem: place,column,problem', FILE),
  encoding: valued('NAME', 'of a CSV file that is not UTF-8, for example windows-1257'),
  sheet: valued('NAME', 'of an XLSX file; default the first'),
} as const

type Flags = ReturnType<typeof parse<typeof FLAGS>>['values']

interface Task {
  readonly source: SourceName
  readonly inputs: readonly string[]
  readonly output: string
  readonly flags: Flags
  readonly signal: AbortSignal
}

export const from = verb({
  about: 'convert an export of another system into a package',
  arguments: [
    { name: 'SOURCE', choices: SOURCE_NAMES },
    { name: 'INPUT', repeated: true, completes: 'file' },
  ],
  synopsis: '-o FILE',
  options: FLAGS,
  json: '{file, tickets, comments, attachments, unplaced: [{column, values, became}], notes, contradictions: [{code, count, text, examples}]}; {problems: [{place, column, message}]} if the source has some; {map, records, notes} if a mapping was written',
  run: (flags, { SOURCE, INPUT }) => convertTo(SOURCE, INPUT, flags),
})

async function convertTo(given: string, inputs: readonly string[], flags: Flags): Promise<void> {
  const source = sourceOf(given)
  const output = required(flags.output, '-o FILE.fpl')
  refuseOverwriting(inputs, output, flags)
  using stopped = abortedBySignal()
  const { SourceError } = await import('@plantroom/convert/source')
  try {
    await convert({ source, inputs, output, flags, signal: stopped.signal })
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    reportProblems(error.problems, flags)
    throw new ReportedFailure()
  }
}

async function convert(task: Task): Promise<void> {
  const { source, inputs, output, flags, signal } = task
  const mapping = await mappingOf(task)
  if (!mapping) return
  const [{ convertSource }, { SOURCES }] = await Promise.all([
    import('@plantroom/convert/convert'),
    import('@plantroom/convert/sources'),
  ])
  const bar = createProgressBar({ stream: process.stderr, clock: systemClock })
  let result: ConversionResult
  try {
    result = await convertSource({
      kind: SOURCES[source],
      inputs,
      mapping: mapping.mapping,
      output,
      attachments: flags.attachments,
      allowMissing: flags['allow-missing'],
      unplacedCsv: flags.unplaced,
      open: openOptions(flags),
      signal,
      now: systemClock.now(),
      onProgress: ({ records }) => bar.show(printable(basename(output)), records, Math.max(records, mapping.records)),
    })
  } finally {
    bar.clear()
  }
  const notes = result.notes?.map(({ text }) => text)
  for (const note of new Set([...mapping.notes, ...(notes ?? [])])) console.error(`note: ${printable(note)}`)
  const { tickets, comments, attachments } = result
  const unplaced = result.unplaced.map(({ column, values, became }) => ({ column, values, became }))
  const contradictions = result.contradictions?.map(({ code, count, text, values }) => ({
    code,
    count,
    text,
    examples: values,
  }))
  for (const { text } of contradictions ?? []) console.error(`warning: ${printable(text)}`)
  const counts = { tickets, comments, attachments, unplaced }
  const json = { file: output, ...counts, ...(notes && { notes }), ...(contradictions && { contradictions }) }
  print(flags.json, json, () => describeConversion(output, result, flags.unplaced))
}

interface ChosenMapping {
  readonly mapping: Mapping
  readonly records: number
  readonly notes: readonly string[]
}

/** Returns the mapping of `--map`, or a proposed one. Writes a proposed one to `--map` first, for a person to check. */
async function mappingOf({ source, inputs, output, flags, signal }: Task): Promise<ChosenMapping | undefined> {
  const zone = zoneOption(flags)
  const dateOrder = orderOption(flags)
  const { readMappingFile, writeMappingFile } = await import('@plantroom/convert/mapping')
  if (flags.map !== undefined && existsSync(flags.map)) {
    if (flags.preset !== undefined) {
      throw new UsageError(`--preset is for a new mapping, and ${flags.map} exists; leave out one of the two`)
    }
    const mapping = await readMappingFile(flags.map)
    const stated = { ...(zone !== undefined && { timeZone: zone }), ...(dateOrder && { dateOrder }) }
    return { mapping: { ...mapping, ...stated }, records: 0, notes: [] }
  }
  const [{ analyzeSource }, { SOURCES }] = await Promise.all([
    import('@plantroom/convert/convert'),
    import('@plantroom/convert/sources'),
  ])
  const analysis = await analyzeSource(SOURCES[source], inputs, {
    preset: flags.preset,
    timeZone: zone === undefined ? zoneOfComputer() : { name: zone, from: 'option' },
    dateOrder,
    signal,
    open: openOptions(flags),
  })
  const { mapping } = analysis
  const notes = (analysis.notes ?? []).map(({ text }) => text)
  if (flags.map === undefined) return { mapping, records: analysis.records, notes }
  const file = createAtomicFile(flags.map)
  file.write(writeMappingFile(analysis))
  file.commit()
  const people = `${printable(flags.map)}: mapping of ${counted(analysis.records, 'record')} written; check it, then run the same command again to write ${printable(output)}`
  print(flags.json, { map: flags.map, records: analysis.records, notes }, () => people)
  return undefined
}

/** A wrong name would only be noticed after the export was read, or in the mapping that it was written to. */
function zoneOption({ 'time-zone': zone }: Flags): string | undefined {
  if (zone === undefined || isTimeZone(zone)) return zone
  throw new UsageError(`--time-zone ${zone} is not a time zone; use a name such as Europe/Tallinn`)
}

function orderOption({ 'date-order': order }: Flags): DateOrder | undefined {
  if (order === undefined) return undefined
  const known = DATE_ORDERS.find((name) => name === order)
  if (!known) throw new UsageError(`--date-order ${order} is not possible; use ${DATE_ORDERS.join(' or ')}`)
  return known
}

/** Undefined on a computer that does not know its own. */
function zoneOfComputer(): { name: string; from: 'computer' } | undefined {
  const name = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return name !== undefined && isTimeZone(name) ? { name, from: 'computer' } : undefined
}

const openOptions = ({ encoding, sheet }: Flags) => ({ encoding, sheet })

function sourceOf(source: string): SourceName {
  const known = SOURCE_NAMES.find((name) => name === source)
  if (!known) throw new UsageError(`unknown source ${source}; use ${SOURCE_NAMES.join(', ')}`)
  return known
}

/** A wrong order of arguments must not destroy the export of a system that no longer runs. */
function refuseOverwriting(
  inputs: readonly string[],
  output: string,
  { unplaced, problems, map, attachments }: Flags,
): void {
  const flaw = flawOfPackageName(basename(output))
  if (flaw !== undefined) throw new UsageError(`-o ${output}: the name ${flaw}`)
  const read = [...inputs, ...(attachments === undefined ? [] : [attachments])].map((path) => resolve(path))
  const written = { '-o': output, '--unplaced': unplaced, '--problems': problems, '--map': map }
  const used = new Map<string, string>()
  for (const [flag, path] of Object.entries(written)) {
    if (path === undefined) continue
    if (path === '') throw new UsageError(`${flag} needs a file name`)
    if (read.includes(resolve(path))) throw new UsageError(`${flag} ${path} would overwrite the source`)
    const other = used.get(resolve(path))
    if (other !== undefined) throw new UsageError(`${flag} and ${other} name the same file`)
    used.set(resolve(path), flag)
  }
}

function reportProblems(problems: readonly Problem[], { json, problems: file }: Flags): void {
  if (file !== undefined) writeProblems(file, problems)
  if (json) console.log(JSON.stringify({ problems }))
  else console.error(`plantroom package: the source cannot be converted\n${describeProblems(problems, file)}`)
}
