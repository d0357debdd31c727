import type { Reading, Writable } from '@plantroom/drivers/driver'
import type { Place } from '../connections/connections.ts'
import { capturePlain } from './capture-plain.ts'
import { hasMoved, readBackOf, readingValue, sameWritten, shows, target, writtenValue } from './equipment.ts'
import type { Hold, Holder, SupersededOverride } from './hold.ts'
import { findInCharge } from './in-charge.ts'
import type { Block } from './limits.ts'
import { nextStep, type Step } from './next-step.ts'
import { isStuck, releaseHold } from './release-hold.ts'
import { type Applied, type ApplyDeps, isKind, isWanted, type Outcome, relinquish, write } from './write.ts'

/** Tries once to make the equipment hold what the hold asks for. Nothing is done before a reading shows it. */
export async function applyHold(deps: ApplyDeps, place: Place, hold: Hold, applied: Applied): Promise<Outcome> {
  try {
    if (!hold.plain && (hold.holder || hold.known)) {
      await capturePlain(deps, place, hold)
      // A hold of another controller began before this one looked.
      applied.isMoved = hold.known !== undefined
      return { kind: 'captured' }
    }
    return await (hold.holder
      ? applySetpoint(deps, place, { ...hold, holder: hold.holder }, applied)
      : releaseHold(deps, place, hold, applied))
  } catch (failure) {
    if (isKind(failure, 'conflict')) return { kind: 'overtaken' }
    const isRejected = isKind(failure, 'rejected')
    if (isRejected) await restorePlain(deps, place, hold, applied)
    const reason = failure instanceof Error ? failure.message : String(failure)
    const how = { isOffline: !isRejected, isStuck: isStuck(failure) }
    return { kind: 'failed', trouble: 'write-failed', readBack: null, reason, ...how }
  }
}

type HeldHold = Hold & { holder: Holder }

async function applySetpoint(deps: ApplyDeps, place: Place, hold: HeldHold, applied: Applied): Promise<Outcome> {
  const { datapoint } = place
  const wanted = target(place, hold)
  // `target` has thrown where a holder's value is not known.
  if (wanted === null) return { kind: 'overtaken' }
  const blocked = deps.limits.block(place, Number(writtenValue(wanted, datapoint)))
  if (blocked) {
    // Equipment that must not be switched off yet is on: it is not at a value of 0.
    const isOff = Number(writtenValue(wanted, datapoint)) === 0
    return waitForLimit(deps, place, hold, { blocked: { ...blocked, isOff }, applied })
  }
  const step = await nextStep(deps, place, wanted, false)
  if (step && !step.isLast) return moveOneStep(deps, place, hold, { step, applied })
  return writeWanted(deps, place, hold, { value: wanted, by: step?.by ?? 0, applied })
}

/** Writes the value that the hold asks for. `by` is the last step towards it. */
async function writeWanted(
  deps: ApplyDeps,
  place: Place,
  hold: HeldHold,
  { value, by, applied }: { value: Writable; by: number; applied: Applied },
): Promise<Outcome> {
  const { datapoint } = place
  const { holder } = hold
  // Another override may ask for the value that is already there, and an acknowledged one may not have been read yet.
  // Writing it again would wear the equipment out.
  const isThere = applied.done && sameWritten(applied.done.value, value)
  const isUnread = applied.unread?.holder === holder && sameWritten(applied.unread.value, value)
  applied.done = undefined
  let reading = isThere || isUnread ? await readBackOf(place) : undefined
  if (!reading || (isReadable(reading) && !shows(reading, value))) {
    reading = await writeAndRead(deps, place, hold, { value, applied })
  }
  applied.unread = undefined
  if (reading && !shows(reading, value)) {
    if (!isReadable(reading)) applied.unread = { holder, value }
    return notTaken(place, value, { reading, applied })
  }
  const written = Number(writtenValue(value, datapoint) ?? Number.NaN)
  deps.limits.seen(place, written)
  if (by > 0) await deps.limits.moved(place, by, written)
  await deps.commits.record((to) => deps.holds.done(to, place, hold, readingValue(reading, datapoint)))
  return { kind: 'holding', holder, value }
}

/** Writes the value and returns what the equipment shows afterwards; `undefined` where it can only be written. */
async function writeAndRead(
  deps: ApplyDeps,
  place: Place,
  hold: HeldHold,
  { value, applied }: { value: Writable; applied: Applied },
): Promise<Reading | undefined> {
  const before = await readingBefore(place)
  try {
    await write(deps, place, { hold, value, applied })
  } catch (failure) {
    if (!isKind(failure, 'offline')) throw failure
    // Only the answer may be lost: then the value is there.
    const reading = await readBackOf(place).catch(() => undefined)
    if (!reading || !shows(reading, value)) throw failure
    return reading
  }
  applied.unread = { holder: hold.holder, value }
  const reading = await readBackOf(place)
  // A value that was there before is the equipment's own, and not what it made of the setpoint.
  const isItsOwn = before && reading && !hasMoved({ before, after: reading, written: value })
  if (reading && 'raw' in reading && !isItsOwn) applied.shows = reading.raw
  return reading
}

/** Returns what the equipment held before a write; `undefined` where that cannot be read. Usually a poll has read it. */
async function readingBefore(place: Place): Promise<Reading | undefined> {
  const { connection, datapoint } = place
  return connection.isKnown(datapoint.id)
    ? connection.lastReading(datapoint.id)
    : readBackOf(place).catch(() => undefined)
}

const isReadable = (reading: Reading) => 'raw' in reading || reading.image !== undefined

async function notTaken(
  place: Place,
  value: Writable,
  { reading, applied }: { reading: Reading; applied: Applied },
): Promise<Outcome> {
  const { datapoint } = place
  const readBack = readingValue(reading, datapoint)
  const kept = 'error' in reading ? `cannot be read: ${reading.error}` : `holds ${readBack}`
  const inCharge = 'error' in reading ? undefined : await findInCharge(place)
  const why = inCharge ? `: ${inCharge.text}` : ''
  const reason = `the equipment acknowledged ${writtenValue(value, datapoint)} but ${kept}${why}`
  const shown = applied.shows === undefined ? {} : { shows: applied.shows }
  const source = inCharge && { inCharge: inCharge.source }
  return { kind: 'failed', trouble: 'not-taken', readBack, reason, isOffline: false, ...shown, ...source }
}

/** Leaves the equipment as it is, except that the value of an override that is over must not stay there. */
async function waitForLimit(
  deps: ApplyDeps,
  place: Place,
  hold: HeldHold,
  { blocked, applied }: { blocked: Block & { isOff: boolean }; applied: Applied },
): Promise<Outcome> {
  applied.done = undefined
  const { followsOverride, superseded } = hold.holder
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
  hold: HeldHold,
  { step, applied }: { step: Step; applied: Applied },
): Promise<Outcome> {
  applied.done = undefined
  if (step.by === 0) return { kind: 'moving', nextAt: step.nextAt }
  const reading = await writeAndRead(deps, place, hold, { value: step.value, applied })
  if (reading && !shows(reading, step.value)) return notTaken(place, step.value, { reading, applied })
  await deps.limits.moved(place, step.by, Number(writtenValue(step.value, place.datapoint)))
  return { kind: 'moving', nextAt: deps.limits.step(place)?.nextAt ?? step.nextAt }
}

/**
 * Restores the plain value when the equipment rejects the holder's value, so that an earlier holder's setpoint does not
 * stay in its place.
 */
async function restorePlain(deps: ApplyDeps, place: Place, hold: Hold, applied: Applied): Promise<void> {
  const { holder } = hold
  if (!holder || !hold.plain || !applied.isMoved) return
  const plain = target(place, { ...hold, holder: undefined })
  const { connection, datapoint } = place
  const stillWanted = () => isWanted(deps, datapoint.id, holder)
  try {
    const step = plain === null ? undefined : await nextStep(deps, place, plain, true)
    if (step && !step.isLast) {
      if (step.by === 0) return
      await connection.write(datapoint.id, step.value, { release: true, stillWanted })
      await deps.limits.moved(place, step.by, Number(writtenValue(step.value, datapoint)))
      return
    }
    if (await relinquish(deps, place, holder)) {
      applied.isMoved = false
      return
    }
    if (plain === null) return
    await connection.write(datapoint.id, plain, { release: true, stillWanted })
    deps.limits.seen(place, Number(writtenValue(plain, datapoint) ?? Number.NaN))
    if (step && step.by > 0) await deps.limits.moved(place, step.by, Number(writtenValue(plain, datapoint)))
    const reading = await readBackOf(place)
    applied.isMoved = reading !== undefined && !shows(reading, plain)
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    deps.log.warn({ datapoint: datapoint.name, reason }, 'could not restore the plain value')
  }
}
