import { Failure } from '@plantroom/contract/failure'
import type { ReportedValue, SourceInCharge } from '@plantroom/contract/reports'
import type { Raw, Reading, Writable } from '@plantroom/drivers/driver'
import type { Place } from '../connections/connections.ts'
import {
  readBackOf,
  readingValue,
  releaseRaw,
  sameWritten,
  setpointsOf,
  shows,
  showsSetpoint,
  target,
  writtenValue,
} from './equipment.ts'
import type { Hold } from './hold.ts'
import { findInCharge } from './in-charge.ts'
import { logWrite } from './log-write.ts'
import { nextStep, type Step } from './next-step.ts'
import { resumeRelease } from './sent-release.ts'
import { type Applied, type ApplyDeps, isKind, type Outcome, relinquish, write } from './write.ts'

/**
 * What a reading after the restoring write says. `setpoint`: the equipment has not taken the value. `differs`: it has, or
 * a person has, chosen another one. `unknown`: it cannot be read.
 */
export type Verdict = 'restored' | 'setpoint' | 'differs' | 'unknown'

/** Judges a reading. `setpoints` are ours, which must not stay. Pure. */
export function judge(
  reading: Reading | undefined,
  { goal, setpoints }: { goal: Writable; setpoints: readonly Raw[] },
): Verdict {
  // A datapoint that can only be written never shows anything.
  if (!reading || shows(reading, goal)) return 'restored'
  if (!('raw' in reading)) return reading.image === undefined ? 'unknown' : 'differs'
  return showsSetpoint(reading, { setpoints, goal }) ? 'setpoint' : 'differs'
}

/**
 * Tries once to restore the value from before. Once the value has been sent, it is written again only over a reading that
 * shows our setpoint: a person may have changed the equipment meanwhile.
 */
export async function releaseHold(deps: ApplyDeps, place: Place, hold: Hold, applied: Applied): Promise<Outcome> {
  resumeRelease(hold, applied)
  const goal = applied.restoring?.value ?? target(place, hold)
  if (applied.restoring && goal !== null) {
    const { isAcknowledged } = applied.restoring
    const reading = await readBackOf(place)
    const verdict = judge(reading, { goal, setpoints: setpointsOf(hold, place) })
    const mustWrite = verdict === 'setpoint' || (verdict === 'unknown' && !isAcknowledged)
    if (!mustWrite) return conclude(deps, place, hold, { goal, reading, verdict })
  }
  const step = goal === null ? undefined : await nextStep(deps, place, goal, true)
  if (step && !step.isLast) return moveOneStep(deps, place, hold, { step, applied })
  const withdrawn = await withdraw(deps, place)
  if (withdrawn === 'withdrawn') {
    logWrite(deps.log, place, { hold, value: undefined, applied })
    const reading = await readBackOf(place)
    // What the equipment falls back to is its own choice.
    const verdict = isReadable(reading) ? 'restored' : 'unknown'
    const inCharge = verdict === 'restored' ? (await findInCharge(place))?.source : undefined
    return conclude(deps, place, hold, { goal, reading, verdict, inCharge })
  }
  if (withdrawn !== 'has-none') {
    const outcome = await writeAndRead(deps, place, hold, { goals: [withdrawn.instead], applied })
    return conclude(deps, place, hold, outcome)
  }
  if (goal === null) return nothingToRestore(deps, place, hold)
  const outcome = await writeAndRead(deps, place, hold, { goals: goalsOf(place, hold, goal), applied })
  if (step && step.by > 0) await deps.limits.moved(place, step.by, Number(writtenValue(outcome.goal, place.datapoint)))
  return conclude(deps, place, hold, outcome)
}

/**
 * Withdraws our value by the equipment's own means. Equipment that refuses, or confirms and keeps it, gets `releaseValue`:
 * in the slot that is ours, the earlier value would stay for good.
 */
async function withdraw(deps: ApplyDeps, place: Place): Promise<'withdrawn' | 'has-none' | { instead: Writable }> {
  try {
    return (await relinquish(deps, place, undefined)) ? 'withdrawn' : 'has-none'
  } catch (failure) {
    if (!(failure instanceof Failure) || failure.kind !== 'rejected') throw failure
    const instead = releaseRaw(place)
    if (instead === undefined) throw stuck(failure)
    deps.log.warn({ datapoint: place.datapoint.name, reason: failure.message }, 'writing releaseValue instead')
    return { instead }
  }
}

async function writeAndRead(
  deps: ApplyDeps,
  place: Place,
  hold: Hold,
  { goals, applied }: { goals: readonly Writable[]; applied: Applied },
): Promise<{ goal: Writable; reading: Reading | undefined; verdict: Verdict }> {
  const setpoints = setpointsOf(hold, place)
  try {
    const written = await writeGoal(deps, place, hold, { goals, applied })
    const reading = await readBackOf(place)
    return { goal: written, reading, verdict: judge(reading, { goal: written, setpoints }) }
  } catch (failure) {
    const sent = applied.restoring?.value
    if (!isKind(failure, 'offline') || sent === undefined) throw failure
    // Only the answer may be lost: then the value is there.
    const reading = await readBackOf(place).catch(() => undefined)
    const verdict = reading && judge(reading, { goal: sent, setpoints })
    if (verdict === 'restored' || verdict === 'differs') return { goal: sent, reading, verdict }
    throw failure
  }
}

/** What a release may write: what it has sent before, the value from before, and `releaseValue`. */
function goalsOf(place: Place, hold: Hold, first: Writable): readonly Writable[] {
  return [first, target(place, hold), releaseRaw(place)]
    .filter((value) => value !== null && value !== undefined)
    .filter((value, index, all) => all.findIndex((other) => sameWritten(other, value)) === index)
}

/** Writes the first goal that the equipment does not refuse. Returns what was written. */
async function writeGoal(
  deps: ApplyDeps,
  place: Place,
  hold: Hold,
  { goals, applied }: { goals: readonly Writable[]; applied: Applied },
): Promise<Writable> {
  let refusal = new Failure('rejected', 'there is no value to restore')
  for (const [index, value] of goals.entries()) {
    if (index > 0) {
      deps.log.warn({ datapoint: place.datapoint.name, reason: refusal.message }, 'writing another value instead')
    }
    try {
      return await restore(deps, place, hold, { value, applied })
    } catch (failure) {
      if (!(failure instanceof Failure) || failure.kind !== 'rejected') throw failure
      refusal = failure
    }
  }
  // Equipment that refuses everything may take the best of them next time.
  const [value] = goals
  if (value !== undefined) applied.restoring = { value, isAcknowledged: false }
  throw stuck(refusal)
}

async function restore(
  deps: ApplyDeps,
  place: Place,
  hold: Hold,
  { value, applied }: { value: Writable; applied: Applied },
): Promise<Writable> {
  const sent = () => {
    applied.restoring = { value, isAcknowledged: false }
  }
  await write(deps, place, { hold, value, applied, sent })
  applied.restoring = { value, isAcknowledged: true }
  return value
}

/** A refusal that only a person can do something about. It is retried all the same. */
class Stuck extends Failure {}
const stuck = (failure: Failure) => new Stuck('rejected', failure.message)
export const isStuck = (failure: unknown) => failure instanceof Stuck

/** Records the release when a reading shows it, after the failsafe is disarmed. */
async function conclude(
  deps: ApplyDeps,
  place: Place,
  hold: Hold,
  about: {
    goal: Writable | null
    reading: Reading | undefined
    verdict: Verdict
    /** What the equipment follows now that our value is withdrawn. */
    inCharge?: SourceInCharge | undefined
  },
): Promise<Outcome> {
  const { goal, reading, verdict, inCharge } = about
  const { datapoint } = place
  const readBack = readingValue(reading, datapoint)
  const written = goal === null ? null : writtenValue(goal, datapoint)
  if (verdict === 'setpoint' || verdict === 'unknown') return notRestored({ reading, readBack, written })
  const seen = readBack ?? written
  if (seen !== null) deps.limits.seen(place, Number(seen))
  return record(deps, place, hold, { reading, readBack, differs: verdict === 'differs', inCharge })
}

function notRestored(about: {
  reading: Reading | undefined
  readBack: ReportedValue
  written: ReportedValue
}): Outcome {
  const { reading, readBack, written } = about
  const isUnread = reading && 'error' in reading && reading.image === undefined
  const kept = isUnread ? `cannot be read: ${reading.error}` : `holds ${readBack}`
  const reason = `the equipment acknowledged ${written} but ${kept}`
  return { kind: 'failed', trouble: 'not-taken', readBack, reason, isOffline: isUnread === true }
}

/** A datapoint that can only be written stays as it is; any other waits for a person. */
async function nothingToRestore(deps: ApplyDeps, place: Place, hold: Hold): Promise<Outcome> {
  if (place.datapoint.accessType !== 'WRITE') {
    throw new Stuck('rejected', 'the value from before is not known; set the equipment by hand, then close the hold')
  }
  return record(deps, place, hold, { reading: undefined, readBack: null, differs: false })
}

async function record(
  { failsafes, commits, holds }: ApplyDeps,
  place: Place,
  hold: Hold,
  about: {
    reading: Reading | undefined
    readBack: ReportedValue
    differs: boolean
    inCharge?: SourceInCharge | undefined
  },
): Promise<Outcome> {
  const { reading, readBack, differs, inCharge } = about
  // Before the release is recorded, so that a controller that dies in between disarms it again.
  await failsafes.disarm(place)
  // The value that the equipment has chosen by itself may be that of the setpoint.
  const setpoints = reading ? setpointsOf(hold, place).filter((setpoint) => !shows(reading, setpoint)) : []
  await commits.record((to) => holds.released(to, place, hold, { readBack, differs, setpoints, inCharge }))
  return { kind: 'released' }
}

const isReadable = (reading: Reading | undefined) => !reading || 'raw' in reading || reading.image !== undefined

/** Writes the next value on the way, and waits until the limits allow another. */
async function moveOneStep(
  deps: ApplyDeps,
  place: Place,
  hold: Hold,
  { step, applied }: { step: Step; applied: Applied },
): Promise<Outcome> {
  if (step.by === 0) return { kind: 'moving', nextAt: step.nextAt }
  await write(deps, place, { hold, value: step.value, applied })
  await deps.limits.moved(place, step.by, Number(writtenValue(step.value, place.datapoint)))
  return { kind: 'moving', nextAt: deps.limits.step(place)?.nextAt ?? step.nextAt }
}
