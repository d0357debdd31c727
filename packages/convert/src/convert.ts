import { writeFile } from 'node:fs/promises'
import type { ConversionResult, Mapping, SourceAnalysis, Target } from '@plantroom/contract/conversion'
import { writePackage } from '@plantroom/fpl/write-package'
import { SourceError, type SourceKind, type SourceProblem, type SourceRecord } from './source.ts'

const GUESSES: Readonly<Record<string, Target>> = {
  id: 'externalId',
  title: 'title',
  status: 'state',
  priority: 'priority',
  description: 'description',
  created: 'createdAt',
  unit: 'unit',
  assignee: 'assignee',
}

export async function analyzeSource(
  kind: SourceKind,
  inputs: readonly string[],
  options: { preset?: string; signal?: AbortSignal },
): Promise<SourceAnalysis> {
  await using source = await kind.open(inputs)
  const columns = new Map<string, Map<string, number>>()
  let records = 0
  for await (const { values } of source.records()) {
    options.signal?.throwIfAborted()
    records += 1
    for (const [name, value] of values) {
      const counts = columns.get(name) ?? new Map<string, number>()
      columns.set(name, counts.set(value, (counts.get(value) ?? 0) + 1))
    }
  }
  const target = (name: string): Target => GUESSES[name.toLowerCase()] ?? 'description+'
  const mapping: Mapping = {
    timeZone: 'UTC',
    dateOrder: 'dmy',
    columns: Object.fromEntries([...columns.keys()].map((name) => [name, target(name)])),
    states: {},
    otherState: 'open',
    priorities: {},
  }
  return {
    source: kind.name,
    records,
    columns: [...columns].map(([name, counts]) => ({
      name,
      filled: [...counts.values()].reduce((sum, count) => sum + count, 0),
      samples: [...counts.keys()].slice(0, 5),
      ...(counts.size <= 20 && { values: [...counts].map(([value, count]) => ({ value, count })) }),
    })),
    mapping,
  }
}

export async function convertSource(options: {
  kind: SourceKind
  inputs: readonly string[]
  mapping: Mapping
  attachments?: string
  output: string
  unplacedCsv?: string
  signal?: AbortSignal
  onProgress?(done: { records: number }): void
}): Promise<ConversionResult> {
  const { kind, inputs, mapping, output, unplacedCsv, onProgress } = options
  await using source = await kind.open(inputs)
  const unplaced = new Map<string, { values: number; became: string }>()
  const lines = ['place,column,value,became']
  const problems: SourceProblem[] = []
  const tickets: object[] = []
  for await (const record of source.records()) {
    options.signal?.throwIfAborted()
    const ticket = requestOf(record, mapping, (column, value, became) => {
      unplaced.set(column, { values: (unplaced.get(column)?.values ?? 0) + 1, became })
      lines.push([record.place, column, value, became].map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
    })
    if (!ticket.title) problems.push({ place: record.place, column: 'title', message: 'has no title: fill it in' })
    tickets.push(ticket)
    onProgress?.({ records: tickets.length })
  }
  if (problems.length > 0) throw new SourceError(problems.slice(0, 10_000))
  await writePackage(output, { tickets, attachments: [] })
  if (unplacedCsv) await writeFile(unplacedCsv, `${lines.join('\r\n')}\r\n`)
  const account = [...unplaced].map(([column, { values, became }]) => ({ column, values, became }))
  return { tickets: tickets.length, comments: 0, attachments: 0, unplaced: account }
}

function requestOf(
  { values }: SourceRecord,
  mapping: Mapping,
  note: (column: string, value: string, became: string) => void,
): Record<string, unknown> {
  const request: Record<string, unknown> = { state: mapping.otherState }
  const texts: string[] = []
  const byValue = <Value>(table: Record<string, Value>, value: string) =>
    Object.entries(table).find(([key]) => key.toLowerCase() === value.trim().toLowerCase())?.[1]
  for (const [column, value] of values) {
    const target = mapping.columns[column] ?? 'description+'
    if (target === 'omit') note(column, value, 'left out')
    else if (target === 'state') request.state = byValue(mapping.states, value) ?? mapping.otherState
    else if (target === 'priority') request.priority = byValue(mapping.priorities, value) ?? null
    else if (target === 'description+') {
      texts.push(`${column}: ${value}`)
      note(column, value, 'part of the description')
    } else request[target] = value
  }
  const description = [request.description, ...texts].filter(Boolean).join('\n')
  return { ...request, ...(description && { description }) }
}
