import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { median } from './statistics.ts'

/** One figure and its floor: what the same machine did in the same run without our work. */
export interface Measurement {
  name: string
  value: number
  unit: string
  floor: number | null
  ratio: number | null
  note: string
}

/** Compares rounds that alternated: the ratio of neighbours cancels other load on the machine. */
export function against(
  name: string,
  values: readonly number[],
  unit: string,
  floors: readonly number[],
  note: string,
): Measurement {
  const ratio = median(values.map((value, round) => value / (floors[round] ?? Number.NaN)))
  return { name, value: round(median(values)), unit, floor: round(median(floors)), ratio: round(ratio), note }
}

export function alone(name: string, value: number, unit: string, note: string): Measurement {
  return { name, value: round(value), unit, floor: null, ratio: null, note }
}

export function sayMeasurement({ name, value, unit, floor, ratio, note }: Measurement): string {
  const comparison = floor === null ? '' : `   ${ratio} of the floor ${floor}`
  return `${name.padEnd(46)} ${String(value).padStart(9)} ${unit.padEnd(6)}${comparison.padEnd(34)}   ${note}`
}

/** Appends to a table for comparison with later runs. */
export async function saveMeasurements(bench: string, measurements: readonly Measurement[]): Promise<void> {
  const root = join(import.meta.dirname, '..')
  const folder = join(root, 'results')
  await mkdir(folder, { recursive: true })
  const path = join(folder, `${bench}.csv`)
  const commit = commitOf(root)
  const lines = measurements.map(({ name, value, unit, floor, ratio, note }) =>
    [commit, new Date().toISOString(), `"${name}"`, value, unit, floor ?? '', ratio ?? '', `"${note}"`].join(','),
  )
  const isNew = await stat(path).then(
    () => false,
    () => true,
  )
  const header = 'commit,at,name,value,unit,floor,ratio,note'
  await appendFile(path, `${(isNew ? [header, ...lines] : lines).join('\n')}\n`)
}

/** Marked `-dirty` if files differ from the commit. Result files, which every run changes, are ignored. */
function commitOf(folder: string): string {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  try {
    const commit = git('describe', '--always', '--exclude=*')
    const isChanged = git('status', '--porcelain', '--untracked-files=no', '--', ':/', ':(top,exclude)bench/results')
    return isChanged === '' ? commit : `${commit}-dirty`
  } catch {
    return 'unknown'
  }
}

function round(value: number): number {
  return Number(value.toPrecision(4))
}
