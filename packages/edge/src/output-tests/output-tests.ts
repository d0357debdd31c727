import type { Clock } from '@plantroom/base/clock'
import type { CommandReply, CommandRequest } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import type { TestReadings } from '@plantroom/contract/output-test'
import type { ReportReason } from '@plantroom/contract/reports'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { WRITERS } from '@plantroom/contract/writers'
import type { Connections } from '../connections/connections.ts'
import type { JsonText } from '../json-text.ts'
import type { Meter } from '../optimisation/meter.ts'
import type { Caller } from '../overrides/once.ts'
import type { Overrides } from '../overrides/overrides.ts'
import type { Timekeeper } from '../overrides/timekeeper.ts'
import type { Audit } from '../reports/audit.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { StagedMap } from '../store/staged-map.ts'
import type { Arbiter } from '../writing/arbiter.ts'
import { checkTest } from './check-test.ts'
import { addSample, noSamples, readingsOf, type Samples } from './samples.ts'

/** The reason of the override that tests an output, in the audit. */
export const TEST_REASON = 'test of one output'

const STEP_MS = 1_000
/** An older reading of the meter says nothing about the time before the test. */
const STALE_MS = 90_000
/** How long to wait until a reading shows that the equipment is back. */
const RELEASE_MS = 60_000
/** How long the meter is read afterwards: as long as during the test, within these, and longer until it was read. */
const AFTER_MS = { least: 5_000, most: 30_000 }

/**
 * Tests of outputs. Each is an override of at most a minute, so it is kept, ended and restored as overrides are. Meanwhile
 * the controller reads what the equipment and a meter show, and reports it in one audit entry at the end. That part is not
 * kept through a restart.
 */
export interface OutputTests {
  /** Resolves when the override is on disk and active. Rejects with a `Failure`: then nothing was done. */
  start(request: CommandRequest<'testOutput'>, caller: Caller): Promise<JsonText<CommandReply<'testOutput'>>>
  close(): void
}

interface OutputTestsDeps {
  overrides: Pick<Overrides, 'placeTest'>
  connections: Connections
  arbiter: Pick<Arbiter, 'hold' | 'isHeld' | 'claims'>
  meter: Meter
  audit: Audit
  commits: Commits
  timekeeper: Timekeeper
  clock: Clock
}

interface State extends OutputTestsDeps {
  /** One at a time: another load would move the meter. */
  running: StagedMap<'test', Running>
  cancel: () => void
}

/** A test from its start until its entry. */
interface Running {
  id: string
  request: CommandRequest<'testOutput'>
  caller: Caller
  from: number
  to: number
  before: TestReadings
}

/** How far a test has come. Each step returns the next. */
interface Progress {
  test: Running
  held: Samples
  taken: boolean
  /** Set when the override is over. */
  end?: { reason: ReportReason; at: number; releasedAt?: number; after: Samples }
}

export function createOutputTests(deps: OutputTestsDeps): OutputTests {
  const state: State = { ...deps, running: deps.commits.stagedMap(), cancel: () => {} }
  return {
    start(request, caller) {
      const { datapointId, value, seconds, meterId } = request
      return state.overrides.placeTest(
        {
          ...{ datapointId, value, seconds, reason: TEST_REASON },
          request: `test ${JSON.stringify([datapointId, value, seconds, meterId ?? null])}`,
          check(to, timeline) {
            const place = state.connections.find(datapointId)
            rejectSecond(state)
            rejectMeter(state, request)
            if (!place) return
            const current = shownBy(state, datapointId) ?? undefined
            checkTest({ request, place, current, hold: state.arbiter.hold(datapointId), timeline, to })
          },
          undone: () => state.running.set('test', undefined),
          placed: (change, id, window) => begin(state, change, { id, request, caller, ...window }),
        },
        caller,
      )
    },
    close: () => state.cancel(),
  }
}

function rejectSecond({ running, connections }: State): void {
  const other = running.get('test')
  if (!other) return
  const name = connections.find(other.request.datapointId)?.datapoint.name ?? other.request.datapointId
  throw rejected(
    `datapoint ${name} of this controller is being tested until ${formatTimestamp(other.to)}; test again when its result is there`,
  )
}

function rejectMeter({ connections }: State, { meterId, datapointId }: CommandRequest<'testOutput'>): void {
  if (meterId === undefined) return
  const datapoint = connections.find(meterId)?.datapoint
  if (!datapoint) throw rejected(`the meter ${shown(meterId)} is not loaded on this device; choose another one`)
  if (datapoint.accessType === 'WRITE' || meterId === datapointId) {
    throw rejected(`datapoint ${datapoint.name} is no meter of this test; choose another datapoint that can be read`)
  }
}

function begin(state: State, change: Change, about: Omit<Running, 'before'>): void {
  const { datapointId, meterId } = about.request
  const last = meterReading(state, meterId)
  const meter = last && about.from - last.at <= STALE_MS ? last : undefined
  // A hold that is being written shows the value from before until its first reading.
  const before = readingsOf(addSample(noSamples(0), shownBy(state, datapointId), meter))
  const test = { ...about, before }
  state.running.set('test', test)
  change.after(() => {
    later(state, { test, held: noSamples((test.from + test.to) / 2), taken: false })
  })
}

function later(state: State, progress: Progress): void {
  state.cancel = state.clock.after(STEP_MS, () => {
    if (state.running.get('test')?.id !== progress.test.id) return
    const next = progress.end ? lookAfter(state, progress, progress.end) : lookWhileHeld(state, progress)
    if (next) later(state, next)
  })
}

/** Reads while the override is active. Returns `undefined` when the test is over. */
function lookWhileHeld(state: State, progress: Progress): Progress | undefined {
  const { arbiter, timekeeper } = state
  const { id, request, to } = progress.test
  const { datapointId } = request
  const { wall } = timekeeper.now()
  const claim = arbiter.claims(datapointId)['demand-response']
  if (claim?.overrideId === id) {
    const taken = progress.taken || arbiter.hold(datapointId)?.reached === true
    const meter = taken ? meterReading(state, request.meterId) : undefined
    return { ...progress, taken, held: addSample(progress.held, shownBy(state, datapointId), meter) }
  }
  if (claim) return finish(state, progress, { reason: 'superseded', after: null })
  const reason = wall < to - STEP_MS ? 'cancelled' : 'ended'
  return { ...progress, end: { reason, at: wall, after: noSamples(wall) } }
}

/** Waits until the equipment is back, then reads for a while. */
function lookAfter(state: State, progress: Progress, end: NonNullable<Progress['end']>): Progress | undefined {
  const { datapointId, meterId, seconds } = progress.test.request
  const { wall } = state.timekeeper.now()
  if (state.arbiter.hold(datapointId)?.holder) return finish(state, progress, { reason: 'superseded', after: null })
  if (end.releasedAt === undefined) {
    const isBack = !state.arbiter.isHeld(datapointId)
    if (!isBack && wall - end.at < RELEASE_MS) return progress
    return { ...progress, end: { ...end, releasedAt: wall, after: noSamples(wall) } }
  }
  const after = addSample(end.after, shownBy(state, datapointId), meterReading(state, meterId))
  const passed = wall - end.releasedAt
  const least = meterId === undefined ? 0 : Math.min(AFTER_MS.most, Math.max(AFTER_MS.least, seconds * 500))
  const isRead = meterId === undefined || after.meter.length > 0 || passed >= AFTER_MS.most
  if (passed < least || !isRead) return { ...progress, end: { ...end, after } }
  return finish(state, progress, { reason: end.reason, after: readingsOf(after) })
}

/** Reports what was read. */
function finish(
  state: State,
  { test, held, taken }: Progress,
  { reason, after }: { reason: ReportReason; after: TestReadings | null },
): undefined {
  const { connections, audit, commits, timekeeper, running } = state
  const { request, caller, before } = test
  void commits.record((to) => {
    running.set('test', undefined)
    const place = connections.find(request.datapointId)
    if (!place) return
    const readings = readingsOf(held)
    const entry = audit.entry({
      code: WRITERS['demand-response'].auditCode,
      at: formatTimestamp(timekeeper.now().wall),
      technicalSystemId: place.systemId,
      connectionId: place.connection.config.id,
      datapointId: request.datapointId,
      overrideId: test.id,
      reqId: caller.reqId,
      phase: 'tested',
      reason,
      valueBefore: before.value,
      value: request.value,
      readBack: readings.value,
      test: { meterId: request.meterId ?? null, taken, before, held: readings, after },
      placedBy: { id: caller.keyId, name: caller.name, reason: TEST_REASON },
    })
    audit.add(to, entry)
  })
}

/** What the equipment shows; `null` while it cannot be read. */
function shownBy({ meter }: State, datapointId: string): number | null {
  return meter.read(datapointId)?.value ?? null
}

function meterReading({ meter, timekeeper }: State, meterId: string | undefined) {
  const reading = meterId === undefined ? undefined : meter.read(meterId)
  return reading && { value: reading.value, at: timekeeper.now().wall - reading.ageMs }
}

const rejected = (message: string) => new Failure('rejected', message)
