import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { ReportedValue } from '@plantroom/contract/reports'
import { CONNECTION_STATUS } from '@plantroom/contract/values'
import type { Raw } from '@plantroom/drivers/driver'
import type { Connections, Place } from '../connections/connections.ts'
import { sameRaw, toExact } from '../connections/scaling.ts'
import type { Commits } from '../store/commits.ts'
import type { Control, Holder, Trouble } from './control.ts'
import { type Controls, plainValue } from './controls.ts'
import { askPlain, readBackOf, target } from './equipment.ts'
import type { Failsafes } from './failsafes.ts'
import { NOT_TAKEN_AFTER, retryDelay } from './retry.ts'

/** Equipment that keeps losing its setpoint is given it again no more often than this. */
const DRIFT_MS = 5_000
/** A link that is being opened for the first time is not down: it is looked at again after this, if it does not say so itself. */
const OPENING_MS = 1_000

/** Makes the equipment what the controls say, one datapoint at a time and for as long as it takes. */
export interface CarryOut {
  /** Something was decided about this datapoint. */
  changed(datapointId: string): void
  /** Whatever was written may be gone: everything on this connection is written again. */
  connected(connectionId: string): void
  /** The equipment was read: it may have lost its setpoint. */
  reading(datapointId: string, raw: Raw): void
  /** What the equipment does not do at present, after so many attempts that it is told. */
  trouble(datapointId: string): Trouble | undefined
  close(): void
}

/** How far carrying out has come for one datapoint. Nothing of it outlives the process: after a start all is written again. */
interface Course {
  running: boolean
  /** Something changed while it was running. */
  again: boolean
  /** What is written at this moment may be lost already: it does not count as done. */
  lost: boolean
  /** What it is about: whose value is being written; nobody's when it is handed back. */
  holder: Holder | undefined
  /** The holder whose value the equipment holds, as far as we know, and that value. */
  done: { holder: Holder; raw: Raw } | undefined
  /** In a row, for this holder. */
  failures: number
  /** Shown with the live value: what is wrong for this holder. */
  error: string | undefined
  /** Which kind of wrong that is. */
  trouble: Trouble | undefined
  driftedAt: number
  cancelTimer(): void
}

export function createCarryOut(deps: {
  controls: Controls
  connections: Connections
  commits: Commits
  failsafes: Failsafes
  clock: Clock
  log: Log
  reached?: (point: 'write:before' | 'write:after') => void
}): CarryOut {
  const { controls, connections, commits, failsafes, clock, log, reached = () => {} } = deps
  const courses = new Map<string, Course>()
  let closed = false

  function courseOf(datapointId: string): Course {
    let course = courses.get(datapointId)
    if (!course) {
      course = {
        running: false,
        again: false,
        lost: false,
        holder: undefined,
        done: undefined,
        failures: 0,
        error: undefined,
        trouble: undefined,
        driftedAt: Number.NEGATIVE_INFINITY,
        cancelTimer: () => {},
      }
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
      log.error({ err: error, datapointId }, 'carrying out failed')
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
    // What holds it is refreshed by the timer that runs.
    if (control.holder && control.holder === course.done?.holder) return
    course.cancelTimer()
    if (control.holder !== course.holder) begin(datapointId, control.holder, course)
    if (place.connection.status() === CONNECTION_STATUS.connecting) {
      return later(course, OPENING_MS, () => void run(datapointId))
    }
    try {
      if (control.holder && !control.plain) await capture(place, course)
      else await write(place, control, course)
    } catch (failure) {
      const reason = failure instanceof Error ? failure.message : String(failure)
      await fail(place, control, course, 'write-failed', null, reason)
    }
  }

  function begin(datapointId: string, holder: Holder | undefined, course: Course): void {
    course.holder = holder
    recovered(datapointId, course)
  }

  /** What was there is on disk before anything else is written over it. */
  async function capture(place: Place, course: Course): Promise<void> {
    const raw = await askPlain(place)
    await commits.record((to) => controls.capture(to, place, raw))
    course.again = true
  }

  async function write(place: Place, control: Control, course: Course): Promise<void> {
    const { connection, datapoint } = place
    const raw = target(place, control)
    if (raw === null) return handedBack(place, control, null)
    if (control.holder) await failsafes.arm(place)
    // Arming takes a while when the link is slow: what is no longer wanted must not be written.
    if (controls.get(datapoint.id)?.holder !== control.holder) {
      course.again = true
      return
    }
    reached('write:before')
    await connection.write(datapoint.id, raw)
    reached('write:after')
    const readBack = await readBackOf(place)
    const shown = readBack === undefined ? null : toExact(readBack, datapoint.scaler)
    if (readBack !== undefined && !sameRaw(readBack, raw)) {
      const reason = `the equipment acknowledged ${toExact(raw, datapoint.scaler)} but holds ${shown}`
      return fail(place, control, course, 'not-taken', shown, reason)
    }
    if (!control.holder) return handedBack(place, control, shown)
    await commits.record((to) => controls.done(to, place, control, shown))
    holding(place, control.holder, raw, course)
  }

  /** It holds: from here on it is only refreshed. */
  function holding({ datapoint }: Place, holder: Holder, raw: Raw, course: Course): void {
    recovered(datapoint.id, course)
    if (course.lost) return
    course.done = { holder, raw }
    if (datapoint.writeInterval > 0) later(course, datapoint.writeInterval * 1000, () => writeAgain(datapoint.id))
  }

  /** Nothing is left to do, unless somebody has claimed it meanwhile. */
  async function handedBack(place: Place, control: Control, readBack: ReportedValue): Promise<void> {
    await commits.record((to) => controls.done(to, place, control, readBack))
    if (!controls.get(place.datapoint.id)?.holder) await failsafes.disarm(place)
  }

  function recovered(datapointId: string, course: Course): void {
    course.done = undefined
    course.failures = 0
    course.error = undefined
    course.trouble = undefined
    show(datapointId)
  }

  async function fail(
    place: Place,
    control: Control,
    course: Course,
    trouble: Trouble,
    readBack: ReportedValue,
    reason: string,
  ): Promise<void> {
    if (closed) return
    const { id, name } = place.datapoint
    course.done = undefined
    course.failures += 1
    later(course, retryDelay(course.failures), () => void run(id))
    if (trouble === 'not-taken' && course.failures < NOT_TAKEN_AFTER) return
    if (course.error !== reason) log.warn({ datapoint: name, reason }, trouble)
    course.error = reason
    course.trouble = trouble
    await commits.record((to) => controls.failed(to, place, control, trouble, readBack))
    show(id)
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
    const course = courses.get(datapointId)
    const error = course?.holder === control.holder ? course.error : undefined
    const lockedBy = control.holder.claim.by
    const plain = plainValue(control, place)
    connections.show(datapointId, {
      lockedBy,
      ...(lockedBy === 'deviation' && { deviationActivated: true }),
      ...(lockedBy === 'deviation' && plain !== null && { deviationCachedValue: plain }),
      ...(error !== undefined && { error }),
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
      if (!course?.done || course.running || sameRaw(raw, course.done.raw)) return
      if (clock.monotonic() - course.driftedAt < DRIFT_MS) return
      course.driftedAt = clock.monotonic()
      log.warn({ datapointId }, 'the equipment no longer holds its setpoint; it is written again')
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
