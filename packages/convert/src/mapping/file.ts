import { readDocumentWithLines } from '@plantroom/base/document'
import type { Mapping, SourceAnalysis, Target } from '@plantroom/contract/conversion'
import { shown } from '@plantroom/contract/shown'
import { describeZone } from '../notes.ts'
import { SourceError } from '../source.ts'
import { checkMapping } from './check.ts'

/** Reads a mapping from a YAML or JSON file. Throws a `SourceError` that names the line of every mistake. */
export async function readMappingFile(path: string): Promise<Mapping> {
  const read = await readDocumentWithLines(path, 'mapping', 'timeZone, columns and states').catch((error) => {
    throw new SourceError([{ place: path, message: (error as Error).message.replace(`${path} `, '') }])
  })
  const problems = checkMapping(read.content)
  if (problems.length === 0) return read.content as Mapping
  throw new SourceError(
    problems.map(({ steps, message }) => {
      const line = lineOf(read, steps)
      return {
        place: line === undefined ? path : `${path} line ${line}`,
        column: steps.join('.') || undefined,
        message,
      }
    }),
  )
}

type Read = Awaited<ReturnType<typeof readDocumentWithLines>>

/** Names of columns may contain anything, so the steps are never joined to a path. */
function lineOf({ source, lines }: Pick<Read, 'source' | 'lines'>, steps: readonly string[]): number | undefined {
  const node = source.getIn(steps, true) as { range?: readonly number[] } | undefined
  const start = node?.range?.[0]
  if (start !== undefined) return lines.linePos(start).line
  return steps.length === 0 ? undefined : lineOf({ source, lines }, steps.slice(0, -1))
}

/** Returns a mapping as YAML, with comments that help to edit it. JSON texts are YAML texts too. */
export function writeMappingFile(analysis: SourceAnalysis): string {
  const { mapping, columns, source, records, timeZoneFrom = 'default', notes = [] } = analysis
  const samples = new Map(columns.map(({ name, samples: some, filled }) => [name, describe(some, filled)]))
  const entries = (table: Readonly<Record<string, unknown>>, comment: (key: string) => string) =>
    Object.entries(table).map(([key, value]) => `  ${JSON.stringify(key)}: ${value}${comment(key)}`)
  const values = (target: Target, table: Readonly<Record<string, unknown>>, meaning: unknown) => {
    const counts = countsOf(analysis, target)
    const unknown = [...counts].filter(([value]) => !Object.hasOwn(table, value))
    return [
      ...entries(table, (value) => (counts.has(value) ? `  # ${recordsOf(counts.get(value))}` : '')),
      ...unknown.map(([value, count]) => `  # ${JSON.stringify(value)}: ${meaning}  # unknown, ${recordsOf(count)}`),
    ]
  }
  const section = (name: string, lines: readonly string[]) =>
    lines.some((line) => !line.startsWith('  #')) ? [`${name}:`, ...lines] : [`${name}: {}`, ...lines]
  return `${[
    `# How the columns of a ${source} source become maintenance requests. It was made from ${records} records.`,
    ...notes.map(({ text }) => `# ${shown(text, 500)}`),
    ...(mapping.preset === undefined ? [] : [`preset: ${JSON.stringify(mapping.preset)}`]),
    `# Of dates that name none: ${describeZone(timeZoneFrom)}.`,
    `timeZone: ${JSON.stringify(mapping.timeZone)}`,
    '# How to read 03/04/2026: dmy (day first) or mdy (month first).',
    mapping.dateOrder === undefined ? '# dateOrder: dmy' : `dateOrder: ${mapping.dateOrder}`,
    '# Each column becomes a field of the request, or:',
    '#   description+, notes+  a line of that text     comment  a comment',
    '#   attachments           names of files          omit     left out',
    ...section(
      'columns',
      entries(mapping.columns, (name) => samples.get(name) ?? ''),
    ),
    '# new, open, in_progress, on_hold, resolved, closed or canceled',
    ...section('states', values('state', mapping.states, mapping.otherState)),
    '# For a value that is not listed, or none.',
    `otherState: ${mapping.otherState}`,
    '# Whether such a request becomes resolved or closed if other fields say that it is done, for example a resolved date.',
    `stateFromEvidence: ${mapping.stateFromEvidence ?? true}`,
    '# 0 low, 1 normal, 2 high, 3 urgent, null none',
    ...section('priorities', values('priority', mapping.priorities, null)),
    '# Between tags and between addresses in one cell. Without it: a comma, semicolon, bar or line break.',
    mapping.separator === undefined ? '# separator: ";"' : `separator: ${JSON.stringify(mapping.separator)}`,
  ].join('\n')}\n`
}

/** The values of all columns of a target, with the number of records that have them. */
function countsOf({ columns, mapping }: SourceAnalysis, target: Target): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { name, values = [] } of columns) {
    if (!Object.hasOwn(mapping.columns, name) || mapping.columns[name] !== target) continue
    for (const { value, count } of values) counts.set(value, (counts.get(value) ?? 0) + count)
  }
  return counts
}

const recordsOf = (count = 0) => `${count} ${count === 1 ? 'record' : 'records'}`

function describe(samples: readonly string[], filled: number): string {
  if (filled === 0) return '  # empty'
  const some = samples.slice(0, 3).map((sample) => shown(sample, 30))
  return `  # ${filled} ${filled === 1 ? 'value' : 'values'}: ${some.join(' | ')}`
}
