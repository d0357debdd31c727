import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { against, alone, type Measurement } from './support/measurement.ts'

// Pass on the Node flags of this process, as the `plantroom` script sets them.
const PROGRAM = join(import.meta.dirname, 'package-check-program.ts')

/** Programs that read and verify every file of an archive without output. */
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  'unzip -tq': ['unzip', '-tq'],
  '7z t': ['7z', 't'],
}

interface Check {
  /** Seconds from the start of the process to its end. */
  whole: number
  /** Seconds without the start of Node. */
  inside: number
  peakMb: number
}

/**
 * Measures one package: the whole check with one and with two threads, alternating with the faster of the two floors.
 */
export function measurePackage(name: string, path: string, rounds: number): Measurement[] {
  // Afterwards the file is in the page cache for all of them.
  const [floor = '', seconds] = fasterFloor(path)
  const checks: Record<1 | 2, Check[]> = { 1: [], 2: [] }
  const floors: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    checks[1].push(check(path, 1))
    floors.push(floorSeconds(floor, path))
    checks[2].push(check(path, 2))
  }
  const note = `floor: ${floor}, the other ${seconds} s; median of ${rounds}`
  const whole = (threads: 1 | 2) => checks[threads].map((taken) => taken.whole)
  const inside = (threads: 1 | 2) => checks[threads].map((taken) => taken.inside)
  const peak = (threads: 1 | 2) => Math.max(...checks[threads].map((taken) => taken.peakMb))
  return [
    against(`${name}, 1 thread`, whole(1), 's', floors, `${note}; target: 0.7`),
    against(`${name}, 1, started`, inside(1), 's', floors, 'the same without the start of Node'),
    against(`${name}, 2 threads`, whole(2), 's', floors, `${note}; target: 0.45`),
    against(`${name}, 2, started`, inside(2), 's', floors, 'the same without the start of Node'),
    alone(`${name}, 1: memory`, peak(1), 'MB', `VmHWM, the maximum of ${rounds}; target: under 200`),
    alone(`${name}, 2: memory`, peak(2), 'MB', `VmHWM, the maximum of ${rounds}; target: under 200`),
  ]
}

/** Measures only the time of a check, for a size that is compared with others. */
export function measureSize(name: string, path: string, rounds: number): Measurement {
  const taken = Array.from({ length: rounds }, () => check(path, 1).inside)
  return alone(name, Math.min(...taken), 's', `1 thread, without the start of Node; the best of ${rounds}`)
}

function fasterFloor(path: string): [name: string, secondsOfTheOther: number] {
  const taken = Object.keys(FLOORS).map((name) => ({ name, seconds: floorSeconds(name, path) }))
  const [faster, other] = taken.sort((a, b) => a.seconds - b.seconds)
  return [faster?.name ?? '', Number((other?.seconds ?? Number.NaN).toPrecision(3))]
}

function floorSeconds(name: string, path: string): number {
  const [program = '', ...args] = FLOORS[name] ?? []
  return timed(program, [...args, path]).seconds
}

function check(path: string, threads: number): Check {
  const { seconds, output } = timed(process.execPath, [...process.execArgv, PROGRAM, path, String(threads)])
  const { ms, peakMb } = JSON.parse(output) as { ms: number; peakMb: number }
  return { whole: seconds, inside: ms / 1000, peakMb }
}

function timed(program: string, args: readonly string[]): { seconds: number; output: string } {
  const from = performance.now()
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  const seconds = (performance.now() - from) / 1000
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${error ?? stderr}`)
  return { seconds, output: stdout }
}
