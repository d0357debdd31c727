import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { ReportedValue } from '@plantroom/contract/reports'
import { CONNECTION_STATUS } from '@plantroom/contract/values'
import type { Raw, Reading, Writable } from '@plantroom/drivers/driver'
import type { Connections, Place } from '../connections/connections.ts'
import type { Commits } from '../store/commits.ts'
import type { Control, Holder, Trouble } from './control.ts'
import { type Controls, plainValue } from './controls.ts'
import { holds, readBackOf, readingValue, readPlain, sameWritten, target, writtenValue } from './equipment.ts'
import type { Failsafes } from './failsafes.ts'
import { NOT_TAKEN_AFTER, retryDelay } from './retry.ts'

/** Equipment that keeps losing its setpoint is given it again no more often than this. */
const DRIFT_MS = 5_000
/** A link that is being opened for the first time is not down: it is looked at again after this at the latest. */
const OPENING_MS = 1_000
/** A value that is no longer wanted waits this long for the decision that replaces it. */
const OVERTAKEN_MS = 100

/** Makes the equipment what the controls say, one datapoint at a time, and retries until it is. */
export interface CarryOut {
  /** Something was decided about this datapoint. */
  changed(datapointId: string): void
  /** The equipment may have lost what was written: everything on this connection is written again. */
  connected(connectionId: string): void
  /** The equipment was read: it may have lost its setpoint. */
  reading(datapointId: string, raw: Raw): void
  /** What the equipment does not do at present, once that is certain enough to report. */
  trouble(datapointId: string): { trouble: Trouble; reason: string } | undefined
  close(): void
}

/** How far one datapoint has come. None of it outlives the process: after a start everything is written again. */
interface Course {
  running: boolean
  /** Something changed while it was running. */
  again: boolean
  /** What is being written at this moment may be lost already: it does not count as done. */
  lost: boolean
  /** The holder whose value is being written; `undefined` when the plain value is being restored. */
  holder: Holder | undefined
  /** The holder whose value the equipment holds, as far as we know, and that value. */
  done: { holder: Holder; value: Writable } | undefined
  /** In a row, for this holder. */
  failures: number
  trouble: { trouble: Trouble; reason: string } | undefined
  /** The equipment may hold another value than the plain one. */
  isMoved: boolean
  driftedAt: number
  cancelTimer(): void
}

export function createCarryOut(deps: {
  controls: Controls
  connections: Connections
  commits: Commits
  failsafes: Failsafes
  clock: Clock
  /** The wall time by which overrides are judged. */
  wallTime: () => number
  log: Log
  reached?: (point: 'write:before' | 'write:after') => void
}): CarryOut {
  const { controls, connections, commits, failsafes, clock, wallTime, log, reached = () => {} } = deps
  const courses = new Map<string, Course>()
  let closed = false

  function courseOf(datapointId: string): Course {
    let course = courses.get(datapointId)
    if (!course) {
      course = newCourse()
      courses.set(datapointId, course)
    }
    return course
  }

  async function run(datapointId: string): Promise<void> {
    const course = courseOf(datapointId)
    course.again = true
    if (course.running) return
    course.running = true
    try {
      while (course.again && !closed) {
        course.again = false
        course.lost = false
        await attempt(datapointId, course)
      }
    } catch (error) {
      log.error({ err: error, datapointId }, 'writing to equipment failed unexpectedly; retrying')
      later(course, retryDelay(1), () => void run(datapointId))
    } finally {
      course.running = false
      if (!controls.get(datapointId)) forget(datapointId, course)
    }
  }

  function forget(datapointId: string, course: Course): void {
    course.cancelTimer()
    courses.delete(datapointId)
  }

  function later(course: Course, ms: number, action: () => void): void {
    course.cancelTimer()
    if (!closed) course.cancelTimer = clock.after(ms, action)
  }

  async function attempt(datapointId: string, course: Course): Promise<void> {
    const control = controls.get(datapointId)
    const place = connections.find(datapointId)
    if (!control || !place) return
    // Its own timer refreshes a value that is held.
    if (control.holder && control.holder === course.done?.holder) return
    course.cancelTimer()
    if (control.holder !== course.holder) begin(datapointId, control.holder, course)
    if (place.connection.status() === CONNECTION_STATUS.connecting) {
      return later(course, OPENING_MS, () => void run(datapointId))
    }
    try {
      if (control.holder && !control.plain) await capture(place, course)
      else await make(place, control, course)
    } catch (failure) {
      if (isKind(failure, 'conflict')) return later(course, OVERTAKEN_MS, () => void run(datapointId))
      if (isKind(failure, 'rejected')) await fallBack(place, control, course)
      const reason = failure instanceof Error ? failure.message : String(failure)
      const isOffline = !isKind(failure, 'rejected')
      await fail(place, control, course, { trouble: 'write-failed', readBack: null, reason, isOffline })
    }
  }

  function begin(datapointId: string, holder: Holder | undefined, course: Course): void {
    course.holder = holder
    recovered(datapointId, course)
  }

  /** What was there is on disk before anything is written over it. */
  async function capture(place: Place, course: Course): Promise<void> {
    const plain = await readPlain(place)
    course.isMoved = false
    await commits.record((to) => controls.capture(to, place, plain))
    course.again = true
  }

  /** Makes the equipment hold what the control asks for, and reads it back. */
  async function make(place: Place, control: Control, course: Course): Promise<void> {
    const { datapoint } = place
    if (!control.holder && (await relinquish(place, undefined))) {
      return released(place, control, readingValue(await readBackOf(place), datapoint))
    }
    const value = target(place, control)
    if (value === null) return released(place, control, null)
    // Another override with the value that is held already: equipment is not worn out by writing it again.
    const isThere = control.holder && course.done && sameWritten(course.done.value, value)
    course.done = undefined
    let readBack = isThere ? await readBackOf(place) : undefined
    if (!(readBack && holds(readBack, value))) readBack = await write(place, control, value, course)
    const shown = readingValue(readBack, datapoint)
    if (readBack && !holds(readBack, value)) {
      const held = 'error' in readBack ? readBack.error : shown
      const reason = `the equipment acknowledged ${writtenValue(value, datapoint)} but holds ${held}`
      return fail(place, control, course, { trouble: 'not-taken', readBack: shown, reason, isOffline: false })
    }
    if (!control.holder) return released(place, control, shown)
    await commits.record((to) => controls.done(to, place, control, shown))
    holding(place, control.holder, value, course)
  }

  /**
   * Restores the plain value for a holder whose value the equipment does not accept: an earlier holder's setpoint must
   * not stay there instead.
   */
  async function fallBack(place: Place, control: Control, course: Course): Promise<void> {
    if (!control.holder || !control.plain || !course.isMoved) return
    const plain = target(place, { ...control, holder: undefined })
    const { connection, datapoint } = place
    const stillWanted = () => isWanted(datapoint.id, control.holder)
    try {
      if (!(await relinquish(place, control.holder))) {
        if (plain === null) return
        await connection.write(datapoint.id, plain, { release: true, stillWanted })
      }
      course.isMoved = false
    } catch (failure) {
      log.warn({ datapoint: datapoint.name, reason: (failure as Error).message }, 'could not restore the plain value')
    }
  }

  /** Returns false where the equipment has no release of its own: then the plain value must be written back. */
  function relinquish({ connection, datapoint: { id } }: Place, holder: Holder | undefined): Promise<boolean> {
    return connection.relinquish(id, { stillWanted: () => isWanted(id, holder) })
  }

  /** Returns what the equipment reads afterwards. */
  async function write(place: Place, control: Control, value: Writable, course: Course): Promise<Reading | undefined> {
    const { connection, datapoint } = place
    if (control.holder) await failsafes.arm(place)
    reached('write:before')
    try {
      await connection.write(datapoint.id, value, {
        release: control.holder === undefined,
        stillWanted: () => isWanted(datapoint.id, control.holder),
      })
      course.isMoved = true
    } catch (failure) {
      if (!isKind(failure, 'offline')) throw failure
      course.isMoved = true
      // Only the answer may be lost: then the value is there.
      const readBack = await readBackOf(place).catch(() => undefined)
      if (!readBack || !holds(readBack, value)) throw failure
      return readBack
    }
    reached('write:after')
    return readBackOf(place)
  }

  /** Whatever delays a write, a value is not written once another one is due. */
  function isWanted(datapointId: string, holder: Holder | undefined): boolean {
    if (closed || controls.get(datapointId)?.holder !== holder) return false
    const until = holder?.claim.until
    return until === undefined || wallTime() < until
  }

  /** It holds: from here on it is only refreshed. */
  function holding({ datapoint }: Place, holder: Holder, value: Writable, course: Course): void {
    recovered(datapoint.id, course)
    if (course.lost) return
    course.done = { holder, value }
    if (datapoint.writeInterval > 0) later(course, datapoint.writeInterval * 1000, () => writeAgain(datapoint.id))
  }

  /** Nothing is left to do, unless another claim came meanwhile. */
  async function released(place: Place, control: Control, readBack: ReportedValue): Promise<void> {
    await commits.record((to) => controls.done(to, place, control, readBack))
    if (!controls.get(place.datapoint.id)?.holder) await failsafes.disarm(place)
  }

  function recovered(datapointId: string, course: Course): void {
    course.failures = 0
    course.trouble = undefined
    show(datapointId)
  }

  async function fail(
    place: Place,
    control: Control,
    course: Course,
    about: { trouble: Trouble; readBack: ReportedValue; reason: string; isOffline: boolean },
  ): Promise<void> {
    if (closed) return
    const { id, name } = place.datapoint
    const { trouble, readBack, reason, isOffline } = about
    course.done = undefined
    course.failures += 1
    later(course, retryDelay(course.failures, isOffline), () => void run(id))
    if (trouble === 'not-taken' && course.failures < NOT_TAKEN_AFTER) return
    if (course.trouble?.reason !== reason) log.warn({ datapoint: name, reason }, trouble)
    course.trouble = { trouble, reason }
    await commits.record((to) => controls.failed(to, place, control, trouble, readBack))
  }

  function writeAgain(datapointId: string): void {
    const course = courseOf(datapointId)
    course.done = undefined
    course.lost = true
    void run(datapointId)
  }

  function show(datapointId: string): void {
    const place = connections.find(datapointId)
    const control = controls.get(datapointId)
    if (!place || !control?.holder) {
      connections.show(datapointId, undefined)
      return
    }
    const lockedBy = control.holder.claim.by
    const plain = plainValue(control, place)
    connections.show(datapointId, {
      lockedBy,
      ...(lockedBy === 'deviation' && { deviationActivated: true }),
      ...(lockedBy === 'deviation' && plain !== null && { deviationCachedValue: plain }),
    })
  }

  return {
    changed(datapointId) {
      show(datapointId)
      void run(datapointId)
    },
    connected(connectionId) {
      for (const [datapointId] of controls.all()) {
        if (connections.find(datapointId)?.connection.config.id !== connectionId) continue
        courseOf(datapointId).failures = 0
        writeAgain(datapointId)
      }
    },
    reading(datapointId, raw) {
      const course = courses.get(datapointId)
      if (!course?.done || course.running || holds({ raw }, course.done.value)) return
      if (clock.monotonic() - course.driftedAt < DRIFT_MS) return
      course.driftedAt = clock.monotonic()
      log.warn({ datapointId }, 'the equipment no longer holds its setpoint; writing it again')
      writeAgain(datapointId)
    },
    trouble(datapointId) {
      const course = courses.get(datapointId)
      return course?.holder === controls.get(datapointId)?.holder ? course?.trouble : undefined
    },
    close() {
      closed = true
      for (const course of courses.values()) course.cancelTimer()
    },
  }
}

function newCourse(): Course {
  return {
    running: false,
    again: false,
    lost: false,
    holder: undefined,
    done: undefined,
    failures: 0,
    trouble: undefined,
    isMoved: true,
    driftedAt: Number.NEGATIVE_INFINITY,
    cancelTimer: () => {},
  }
}

const isKind = (failure: unknown, kind: Failure['kind']) => failure instanceof Failure && failure.kind === kind
