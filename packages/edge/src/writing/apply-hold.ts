import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { ReportedValue } from '@plantroom/contract/reports'
import type { Reading, Writable } from '@plantroom/drivers/driver'
import type { Place } from '../connections/connections.ts'
import type { Commits } from '../store/commits.ts'
import { capturePlain } from './capture-plain.ts'
import { readBackOf, readingValue, sameWritten, shows, target, writtenValue } from './equipment.ts'
import type { Failsafes } from './failsafes.ts'
import type { Hold, Holder, SupersededOverride, Trouble } from './hold.ts'
import type { Holds } from './holds.ts'
import type { LimitKeeper } from './limit-keeper.ts'
import type { Block } from './limits.ts'
import { type Logged, logWrite } from './log-write.ts'
import { nextStep, type Step } from './next-step.ts'

export interface ApplyDeps {
  holds: Holds
  commits: Commits
  failsafes: Failsafes
  limits: LimitKeeper
  /** The wall time by which overrides are judged. */
  wallTime: () => number
  log: Log
  /** Called around a write to equipment, so that a test can end the process at that point. */
  reached: (point: 'write:before' | 'write:after') => void
  isClosed(): boolean
}

/** What is known about the equipment behind one datapoint. Lost with the process: after a start everything is written again. */
export interface Applied {
  /** The holder whose value the equipment holds, as far as we know, and that value. */
  done: { holder: Holder; value: Writable } | undefined
  /** The equipment may hold another value than the plain one. */
  isMoved: boolean
  /** What the log says was written last. */
  logged?: Logged
}

export type Outcome =
  /** The plain value is on disk. The hold can be applied now. */
  | { kind: 'captured' }
  /** The equipment holds the holder's value. */
  | { kind: 'holding'; holder: Holder; value: Writable }
  /** The plain value is restored, or nothing could be. */
  | { kind: 'released' }
  /** The limits of the datapoint do not allow the value yet. */
  | { kind: 'waiting'; until: number; reason: string }
  /** The equipment is on its way to the value, in the steps that its limits allow. */
  | { kind: 'moving'; nextAt: number }
  /** Another value was decided on before this one left for the equipment. */
  | { kind: 'overtaken' }
  | { kind: 'failed'; trouble: Trouble; readBack: ReportedValue; reason: string; isOffline: boolean }

/** Tries once to make the equipment hold what the hold asks for, and reads the value back. */
export async function applyHold(deps: ApplyDeps, place: Place, hold: Hold, applied: Applied): Promise<Outcome> {
  try {
    if (!hold.plain && (hold.holder || hold.known)) {
      await capturePlain(deps, place, hold)
      // A hold of another controller began before this one looked.
      applied.isMoved = hold.known !== undefined
      return { kind: 'captured' }
    }
    return await writeAndVerify(deps, place, hold, applied)
  } catch (failure) {
    if (isKind(failure, 'conflict')) return { kind: 'overtaken' }
    const isRejected = isKind(failure, 'rejected')
    if (isRejected) await restorePlain(deps, place, hold, applied)
    const reason = failure instanceof Error ? failure.message : String(failure)
    return { kind: 'failed', trouble: 'write-failed', readBack: null, reason, isOffline: !isRejected }
  }
}

async function writeAndVerify(deps: ApplyDeps, place: Place, hold: Hold, applied: Applied): Promise<Outcome> {
  const { datapoint } = place
  const wanted = target(place, hold)
  const blocked = hold.holder && wanted !== null && deps.limits.block(place, Number(writtenValue(wanted, datapoint)))
  if (blocked) {
    // Equipment that must not be switched off yet is on: it is not at a value of 0.
    const isOff = Number(writtenValue(wanted, datapoint)) === 0
    return waitForLimit(deps, place, hold, { blocked: { ...blocked, isOff }, applied })
  }
  const step = wanted === null ? undefined : await nextStep(deps, place, wanted, hold.holder === undefined)
  if (step && !step.isLast) return moveOneStep(deps, place, hold, { step, applied })
  if (!hold.holder && (await relinquish(deps, place, undefined))) {
    logWrite(deps.log, place, { hold, value: undefined, applied })
    const readBack = readingValue(await readBackOf(place), datapoint)
    if (readBack !== null) deps.limits.seen(place, Number(readBack))
    return recordRelease(deps, place, hold, readBack)
  }
  if (wanted === null) return recordRelease(deps, place, hold, null)
  return writeWanted(deps, place, hold, { value: wanted, by: step?.by ?? 0, applied })
}

/** Writes the value that the hold asks for. `by` is the last step towards it. */
async function writeWanted(
  deps: ApplyDeps,
  place: Place,
  hold: Hold,
  { value, by, applied }: { value: Writable; by: number; applied: Applied },
): Promise<Outcome> {
  const { datapoint } = place
  // Another override may ask for the value that is already there. Writing it again would wear the equipment out.
  const mayBeThere = hold.holder && applied.done && sameWritten(applied.done.value, value)
  applied.done = undefined
  let readBack = mayBeThere ? await readBackOf(place) : undefined
  if (!(readBack && shows(readBack, value))) readBack = await write(deps, place, { hold, value, applied })
  const shown = readingValue(readBack, datapoint)
  if (readBack && !shows(readBack, value)) return notTaken(place, value, readBack)
  const written = Number(writtenValue(value, datapoint) ?? Number.NaN)
  deps.limits.seen(place, written)
  if (by > 0) await deps.limits.moved(place, by, written)
  if (!hold.holder) return recordRelease(deps, place, hold, shown)
  await deps.commits.record((to) => deps.holds.done(to, place, hold, shown))
  return { kind: 'holding', holder: hold.holder, value }
}

function notTaken(place: Place, value: Writable, readBack: Reading): Outcome {
  const { datapoint } = place
  const shown = readingValue(readBack, datapoint)
  const kept = 'error' in readBack ? readBack.error : shown
  const reason = `the equipment acknowledged ${writtenValue(value, datapoint)} but holds ${kept}`
  return { kind: 'failed', trouble: 'not-taken', readBack: shown, reason, isOffline: false }
}

/** Leaves the equipment as it is, except that the value of an override that is over must not stay there. */
async function waitForLimit(
  deps: ApplyDeps,
  place: Place,
  hold: Hold,
  { blocked, applied }: { blocked: Block & { isOff: boolean }; applied: Applied },
): Promise<Outcome> {
  applied.done = undefined
  const { followsOverride, superseded } = hold.holder ?? {}
  const { until, reason } = blocked
  if (!followsOverride) return { kind: 'waiting', until, reason }
  // Restoring the plain value would switch the equipment as early as the blocked value.
  const there = superseded?.filter(({ value }) => !(blocked.isOff && value === 0))
  if (there && areRunning(deps, there)) {
    return { kind: 'waiting', until: Math.min(until, ...there.map((one) => one.until)), reason }
  }
  await restorePlain(deps, place, hold, applied)
  // The equipment could not be restored, or is on its way: that must not wait as long.
  return { kind: 'waiting', until: applied.isMoved ? 0 : until, reason }
}

const areRunning = ({ holds, wallTime }: ApplyDeps, overrides: readonly SupersededOverride[]) =>
  overrides.every(({ overrideId, until }) => holds.isApplied(overrideId) && wallTime() < until)

/** Writes the next value on the way, and waits until the limits allow another. */
async function moveOneStep(
  deps: ApplyDeps,
  place: Place,
  hold: Hold,
  { step, applied }: { step: Step; applied: Applied },
): Promise<Outcome> {
  applied.done = undefined
  if (step.by === 0) return { kind: 'moving', nextAt: step.nextAt }
  const readBack = await write(deps, place, { hold, value: step.value, applied })
  if (readBack && !shows(readBack, step.value)) return notTaken(place, step.value, readBack)
  await deps.limits.moved(place, step.by, Number(writtenValue(step.value, place.datapoint)))
  return { kind: 'moving', nextAt: deps.limits.step(place)?.nextAt ?? step.nextAt }
}

/** Writes the value and returns what the equipment reads afterwards. */
async function write(
  deps: ApplyDeps,
  place: Place,
  { hold, value, applied }: { hold: Hold; value: Writable; applied: Applied },
): Promise<Reading | undefined> {
  const { connection, datapoint } = place
  if (hold.holder) await deps.failsafes.arm(place)
  deps.reached('write:before')
  try {
    await connection.write(datapoint.id, value, {
      release: hold.holder === undefined,
      stillWanted: () => isWanted(deps, datapoint.id, hold.holder),
    })
    applied.isMoved = true
    logWrite(deps.log, place, { hold, value, applied })
  } catch (failure) {
    if (!isKind(failure, 'offline')) throw failure
    applied.isMoved = true
    // Only the answer may be lost: then the value is there.
    const readBack = await readBackOf(place).catch(() => undefined)
    if (!readBack || !shows(readBack, value)) throw failure
    logWrite(deps.log, place, { hold, value, applied })
    return readBack
  }
  deps.reached('write:after')
  return readBackOf(place)
}

/** Reports whether the holder may still write its value. However long a write waits, a replaced value is never sent. */
function isWanted({ holds, wallTime, isClosed }: ApplyDeps, datapointId: string, holder: Holder | undefined): boolean {
  if (isClosed() || holds.get(datapointId)?.holder !== holder) return false
  const until = holder?.claim.until
  return until === undefined || wallTime() < until
}

/**
 * Restores the plain value when the equipment rejects the holder's value, so that an earlier holder's setpoint does not
 * stay in its place.
 */
async function restorePlain(deps: ApplyDeps, place: Place, hold: Hold, applied: Applied): Promise<void> {
  if (!hold.holder || !hold.plain || !applied.isMoved) return
  const plain = target(place, { ...hold, holder: undefined })
  const { connection, datapoint } = place
  const stillWanted = () => isWanted(deps, datapoint.id, hold.holder)
  try {
    const step = plain === null ? undefined : await nextStep(deps, place, plain, true)
    if (step && !step.isLast) {
      if (step.by === 0) return
      await connection.write(datapoint.id, step.value, { release: true, stillWanted })
      await deps.limits.moved(place, step.by, Number(writtenValue(step.value, datapoint)))
      return
    }
    if (!(await relinquish(deps, place, hold.holder))) {
      if (plain === null) return
      await connection.write(datapoint.id, plain, { release: true, stillWanted })
      deps.limits.seen(place, Number(writtenValue(plain, datapoint) ?? Number.NaN))
      if (step && step.by > 0) await deps.limits.moved(place, step.by, Number(writtenValue(plain, datapoint)))
    }
    applied.isMoved = false
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    deps.log.warn({ datapoint: datapoint.name, reason }, 'could not restore the plain value')
  }
}

/** Releases by the equipment's own means; false where it has none, and the plain value must be written back. */
function relinquish(deps: ApplyDeps, { connection, datapoint: { id } }: Place, holder: Holder | undefined) {
  return connection.relinquish(id, { stillWanted: () => isWanted(deps, id, holder) })
}

async function recordRelease(
  { holds, commits, failsafes }: ApplyDeps,
  place: Place,
  hold: Hold,
  readBack: ReportedValue,
): Promise<Outcome> {
  await commits.record((to) => holds.done(to, place, hold, readBack))
  // Another writer may have taken the datapoint over in the meantime. It needs the failsafe.
  if (!holds.get(place.datapoint.id)?.holder) await failsafes.disarm(place)
  return { kind: 'released' }
}

const isKind = (failure: unknown, kind: Failure['kind']) => failure instanceof Failure && failure.kind === kind
