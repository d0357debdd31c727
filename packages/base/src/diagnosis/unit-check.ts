import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Finding, ok, problem, skipped, warning } from './check.ts'

/** A unit of systemd, as far as it matters to a doctor. */
export interface Unit {
  name: string
  /** What `systemctl show` says about it, by the names of the properties. */
  properties: Readonly<Record<string, string>>
  /** The last words of the program when it gave up, if the user may read the journal. */
  lastError: string | undefined
}

const PROPERTIES = [
  'LoadState',
  'ActiveState',
  'SubState',
  'Result',
  'NRestarts',
  'UnitFileState',
  'Environment',
  'AmbientCapabilities',
]
const LINES = 50
const LONGEST_ERROR = 500
const ANSWER_MS = 5_000
/** How a program reports what ended it, see `program.ts`, and how Node does when the program could not. */
const LAST_WORDS = /^(?:plantroom [a-z]+|[A-Za-z]*Error(?: \[\w+\])?): (.+)$/

/** Runs a program and returns what it prints; `undefined` if it cannot. */
export type Run = (program: string, args: readonly string[]) => Promise<string | undefined>

const runProgram: Run = (program, args) =>
  promisify(execFile)(program, [...args], { timeout: ANSWER_MS, maxBuffer: 4_000_000 }).then(
    ({ stdout }) => stdout,
    () => undefined,
  )

/** Asks systemd about a unit; `undefined` without systemd, without the unit, or if the unit has another data folder. */
export async function readUnit(name: string, folder: string, run: Run = runProgram): Promise<Unit | undefined> {
  const shown = await run('systemctl', ['show', name, `--property=${PROPERTIES.join(',')}`])
  const properties = Object.fromEntries(
    (shown ?? '').split('\n').flatMap((line) => {
      const end = line.indexOf('=')
      return end < 0 ? [] : [[line.slice(0, end), line.slice(end + 1)]]
    }),
  )
  const data = /(?:^|\s)PLANTROOM_DATA=(\S+)/.exec(properties.Environment ?? '')?.[1]
  if (properties.LoadState !== 'loaded' || (data !== undefined && data !== folder)) return undefined
  const isWell = properties.SubState === 'running' && properties.NRestarts === '0'
  return { name, properties, lastError: isWell ? undefined : lastErrorIn(await journalOf(name, run)) }
}

const journalOf = (unit: string, run: Run) =>
  run('journalctl', ['--unit', unit, '--lines', String(LINES), '--output', 'cat', '--no-pager', '--quiet'])

function lastErrorIn(journal = ''): string | undefined {
  const words = journal.split('\n').flatMap((line) => LAST_WORDS.exec(line)?.[1] ?? [])
  return words.at(-1)?.slice(0, LONGEST_ERROR)
}

/** Whether the unit runs, and if it does not, why. */
export function unitFinding({ name, properties, lastError }: Unit): Finding {
  const { ActiveState: active, SubState: sub, Result: result = '', NRestarts: restarts = '0' } = properties
  const why = lastError === undefined ? '' : `: ${lastError}`
  const log = `journalctl -u ${name} shows its log`
  const remedy = lastError === undefined ? log : `remove this cause, then systemctl restart ${name}; ${log}`
  if (sub === 'running') {
    // It stays at this number until it is started again by hand.
    return restarts === '0' || lastError === undefined
      ? ok(`${name} runs`)
      : warning(`${name} runs now, after ${restarts} restarts; the last one was because of${why}`, remedy)
  }
  if (active === 'failed' || sub === 'auto-restart' || Number(restarts) > 0) {
    const times = Number(restarts) > 0 ? `, ${restarts} times so far` : ''
    return problem(`${name} does not stay up (${sub}, ${result}${times})${why}`, remedy)
  }
  if (active === 'activating') return warning(`${name} is starting${why}`, `${log}, and for what it waits`)
  if (properties.UnitFileState === 'disabled' || properties.UnitFileState === 'masked') {
    return skipped(`${name} is ${properties.UnitFileState}; systemctl enable --now ${name} starts it`)
  }
  return problem(`${name} is stopped`, `systemctl start ${name}`)
}

/** Whether the unit may open ports below 1024, which the user of this command may not. */
export const mayOpenLowPorts = (unit: Unit | undefined): boolean =>
  /\bcap_net_bind_service\b/i.test(unit?.properties.AmbientCapabilities ?? '')
