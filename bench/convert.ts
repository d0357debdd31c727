import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeTables } from './convert-tables.ts'
import { against, alone, type Measurement } from './support/measurement.ts'

const PROGRAM = join(import.meta.dirname, 'convert-program.ts')
const ROWS = 50_000
const ROUNDS = 3
const TARGETS = { csv: 'under 5 s and 200 MB', xlsx: 'under 15 s' } as const

/** Measures conversions against the bare parser on the same bytes: csv-parse, and saxes on the inflated sheet. */
export async function benchConvert(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'plantroom-bench-'))
  try {
    const files = await writeTables(folder, ROWS)
    return (['csv', 'xlsx'] as const).flatMap((kind) => measure(kind, files[kind], join(folder, 'out.fpl')))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Taken {
  ms: number
  peakMb: number
}

function measure(kind: 'csv' | 'xlsx', input: string, output: string): Measurement[] {
  const conversions: Taken[] = []
  const floors: Taken[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    floors.push(run('floor', kind, input, output))
    conversions.push(run('convert', kind, input, output))
  }
  const seconds = (taken: readonly Taken[]) => taken.map(({ ms }) => ms / 1000)
  const name = `${ROWS.toLocaleString('en')} rows of ${kind} to a package`
  const note = `with the check; floor: the bare parser; median of ${ROUNDS}; target: ${TARGETS[kind]}`
  return [
    against(name, seconds(conversions), 's', seconds(floors), note),
    alone(
      `${name}: memory`,
      Math.max(...conversions.map(({ peakMb }) => peakMb)),
      'MB',
      `VmHWM, the maximum of ${ROUNDS}`,
    ),
  ]
}

/** Each round has a process of its own, as on the command line. */
function run(...args: readonly string[]): Taken {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...process.execArgv, PROGRAM, ...args], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
