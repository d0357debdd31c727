import { sleep } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { Discovered, Problem } from '../driver.ts'
import { refuseProblems } from '../fields.ts'
import { SCAN_PAUSE_MS, scanTargets } from '../scan-target.ts'
import type { ModbusSettings } from './config.ts'
import type { Lines } from './lines.ts'
import { parseUnitList } from './unit-list.ts'
import type { UnitSession } from './unit-session.ts'

/** A unit that is asked: its settings as a commissioning file has them, and a name for people. */
export interface ScannedUnit {
  session: UnitSession
  settings: Record<string, unknown>
  unitId: number
  name: string
}

interface Scan<Address> {
  lines: Lines<Address>
  signal: AbortSignal
  /** The ids that are asked where the settings name none. */
  usual: string
  /** Reads the settings of one unit. */
  parse(settings: Record<string, unknown>): {
    config: { address: Address; settings: ModbusSettings }
    problems: readonly Problem[]
  }
  /** Asks a unit that has answered more. */
  ask(unit: ScannedUnit): AsyncIterable<Discovered>
}

/** A network of this many hosts is scanned for a few units each. */
const MAX_QUESTIONS = 1024
const TIMEOUT_MS = 500
/** A silent unit keeps the line for a timeout. The others get it for at least as long, up to this. */
const LONGEST_REST_MS = 500

/** How a scan reads: behind everything else. */
export const SCAN_READ = { patience: 'full', urgent: false, isProbe: false } as const
/** Any answer shows that a unit is there, an exception too, unless it is that of a gateway which cannot reach it. */
const QUESTION = { functionCode: 3, address: 0, count: 1 } as const

/** Asks units at one endpoint, or at each host of a small network, one after the other. */
export async function* scanUnits<Address>(
  settings: Record<string, unknown>,
  scan: Scan<Address>,
): AsyncGenerator<Discovered> {
  const { lines, signal, usual } = scan
  const { unitId, unitIds = unitId === undefined ? usual : [unitId], ...others } = settings
  const units = parseUnitList(unitIds, lines.medium.unitIds)
  if ('problem' in units) throw new Failure('invalid', `settings.unitIds: ${units.problem}`, 'settings.unitIds')
  // A serial line has no host.
  const places = 'path' in others ? [others] : scanTargets(others.host).map((host) => ({ ...others, host }))
  const of = places.length * units.length
  if (of > MAX_QUESTIONS) {
    throw new Failure(
      'invalid',
      `settings.unitIds: ${units.length} units at each of ${places.length} hosts are more than ${MAX_QUESTIONS} questions; name fewer units, or one host`,
      'settings.unitIds',
    )
  }
  let done = 0
  for (const [index, place] of places.entries()) {
    for await (const each of scanEndpoint(place, scan, { units, isOneOfMany: places.length > 1 })) {
      if (each.kind === 'progress') done += 1
      yield each.kind === 'progress' ? { kind: 'progress', done, of } : each
    }
    done = (index + 1) * units.length
    yield { kind: 'progress', done, of }
    if (signal.aborted) return
  }
}

async function* scanEndpoint<Address>(
  settings: Record<string, unknown>,
  { lines, signal, parse, ask }: Scan<Address>,
  { units, isOneOfMany }: { units: readonly number[]; isOneOfMany: boolean },
): AsyncGenerator<Discovered> {
  const { clock, medium } = lines
  const configs = units.map((unitId) => {
    const { config, problems } = parse({ timeoutMs: TIMEOUT_MS, ...settings, unitId })
    refuseProblems(problems)
    return config
  })
  const join = ({ address, settings: timing }: (typeof configs)[number]) =>
    lines.join(address, { unitId: timing.unitId, timing, listener: undefined })
  const [first] = configs
  if (!first) return
  // It keeps the link open from one unit to the next.
  const anchor = join(first)
  const leave = () => anchor.leave()
  signal.addEventListener('abort', leave)
  try {
    try {
      await anchor.connect()
    } catch (error) {
      // Most addresses of a network belong to nothing.
      if (signal.aborted || (isOneOfMany && error instanceof Failure)) return
      throw error
    }
    const { name } = medium.transport(first.address)
    for (const config of configs) {
      if (signal.aborted) return
      const { unitId } = config.settings
      const session = join(config)
      const leaveUnit = () => session.leave()
      signal.addEventListener('abort', leaveUnit)
      const askedAt = clock.monotonic()
      try {
        const answer = await session.read(QUESTION, SCAN_READ)
        if (!('unanswered' in answer)) {
          yield* ask({ session, settings: { ...settings, unitId }, unitId, name: `unit ${unitId} at ${name}` })
        } else if (answer.cause === 'broken') yield { kind: 'warning', message: answer.unanswered.message }
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        if (!signal.aborted) yield { kind: 'warning', message: error.message }
        // A unit that is silent for a running connection says nothing about the others; a lost link does.
        if (!session.silence()) return
      } finally {
        signal.removeEventListener('abort', leaveUnit)
        session.leave()
      }
      const tookMs = clock.monotonic() - askedAt
      await sleep(clock, Math.max(SCAN_PAUSE_MS, Math.min(tookMs, LONGEST_REST_MS)), signal)
      yield { kind: 'progress', done: 0, of: 0 }
    }
  } finally {
    signal.removeEventListener('abort', leave)
    anchor.leave()
  }
}
