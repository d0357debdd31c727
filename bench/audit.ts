import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { against, type Measurement } from './support/measurement.ts'
import { median } from './support/statistics.ts'

const ENTRIES = 100_000
const ROUNDS = 5
/** While the code is being optimised, times say nothing. */
const WARM_UP_ROUNDS = 10

const ROOT = join(import.meta.dirname, '..')
const CHAIN = join(ROOT, 'packages/edge/src/reports/testing/chain-program.ts')
const COMMANDS = join(ROOT, 'packages/cli/src/main.ts')
const FLOOR = join(import.meta.dirname, 'floors/parsed-hashes.ts')

type Times = Readonly<Record<'chained' | 'signed' | 'hashed' | 'bareSigned', readonly number[]>>

/** Measures what the audit costs the controller, and how long checking a whole chain takes. */
export async function benchAudit(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'plantroom-bench-'))
  try {
    const file = join(folder, 'audit.ndjson')
    const times: Times = JSON.parse(run(CHAIN, folder, file, String(ENTRIES)).output)
    return [...onController(times), verification(file)]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function onController(times: Times): Measurement[] {
  const { chained, signed, hashed, bareSigned } = warm(times)
  const sum = (a: readonly number[], b: readonly number[]) => a.map((value, round) => value + (b[round] ?? Number.NaN))
  const alone = median(bareSigned).toPrecision(3)
  return [
    against('chaining an entry', chained, 'µs', hashed, 'with its JSON; floor: one SHA-256 of the same bytes'),
    against(
      'chaining and signing an entry',
      sum(chained, signed),
      'µs',
      sum(hashed, bareSigned),
      `floor: one SHA-256 and one Ed25519 signature, which takes ${alone} µs; target: under 50 µs`,
    ),
    against(
      'chaining and signing, batches of 1,000',
      sum(
        chained,
        signed.map((each) => each / 1000),
      ),
      'µs',
      sum(
        hashed,
        bareSigned.map((each) => each / 1000),
      ),
      'as after an outage: one signature for 1,000 entries',
    ),
  ]
}

function warm({ chained, signed, hashed, bareSigned }: Times): Times {
  const after = (values: readonly number[]) => values.slice(WARM_UP_ROUNDS)
  return { chained: after(chained), signed: after(signed), hashed: after(hashed), bareSigned: after(bareSigned) }
}

function verification(file: string): Measurement {
  const taken: number[] = []
  const floors: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { seconds, output } = run(COMMANDS, 'audit', 'verify', file)
    if (!output.includes(`: ${ENTRIES} entries of `)) throw new Error(`the chain is not consistent: ${output}`)
    taken.push(seconds)
    floors.push(run(FLOOR, file).seconds)
  }
  const note = `floor: reading, parsing and hashing the file; median of ${ROUNDS}; target: under 5 s`
  return against('audit verify, 100,000 entries', taken, 's', floors, note)
}

function run(program: string, ...args: readonly string[]): { seconds: number; output: string } {
  const from = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, [...process.execArgv, program, ...args], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  // The export of the bench has no head, so verify can only say that it is consistent.
  if (status !== 0 && status !== 3) throw new Error(`${program} failed: ${stderr}`)
  return { seconds: (performance.now() - from) / 1000, output: stdout }
}
