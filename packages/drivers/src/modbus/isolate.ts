import { Failure } from '@plantroom/contract/failure'
import { type Block, halve, holeBetween, sameRange } from './blocks.ts'
import { type Cause, isPassing } from './holes.ts'
import type { PlanRun } from './plan-run.ts'
import { firstValueOf, type Wanted } from './read-plan.ts'
import type { Unanswered } from './read-policy.ts'

/**
 * Checks after a miss whether the unit is alive, with small reads of the range that answered last, then of the first,
 * last and middle range of the plan. Returns true if this read the missed block itself. Throws an `offline` failure if
 * nothing answers: then the unit is silent.
 */
export async function confirmAlive(run: PlanRun, missed: Block<Wanted>, miss: Unanswered): Promise<boolean> {
  const answersBefore = run.session.answers()
  for (const sign of signsOfLife(run, missed)) {
    const isMissed = sameRange(sign, missed)
    const answer = await run.ask(isMissed ? missed : sign, 'short', true).catch((linkFailure) => {
      blame(run, missed, miss)
      throw linkFailure
    })
    if (isMissed && 'data' in answer) {
      run.take(missed, answer.data)
      return true
    }
    if ('data' in answer) run.memory.recent = sign
    // A write may have been answered in the meantime.
    if (!('unanswered' in answer) || run.session.answers() > answersBefore) return false
  }
  blame(run, missed, miss)
  run.session.fellSilent(miss.unanswered)
  throw miss.unanswered
}

/**
 * Remembers the halves of a block that timed out, even though the unit may be dead. Equipment that accepts a single
 * connection may refuse a new one for a while after a timeout; without this, no call would ever get beyond that. When
 * the unit is back, the halves are read like other suspects and forgotten.
 */
function blame(run: PlanRun, missed: Block<Wanted>, miss: Unanswered): void {
  if (miss.cause !== 'timeout') return
  const cause = { silence: miss.unanswered.message }
  const halves = halve(missed)
  if (!halves) {
    run.rememberHole(missed, cause)
    return
  }
  run.memory.holes.forgetSuspect(missed)
  for (const half of halves) run.leave(half, cause)
}

function signsOfLife({ plan, memory }: PlanRun, missed: Block<Wanted>): readonly Block<Wanted>[] {
  const ranges = plan.ranges()
  const usual = [ranges[0], ranges.at(-1), ranges[ranges.length >> 1]].filter(
    (range) => range !== undefined && !sameRange(range, missed),
  )
  const signs = memory.recent ? [firstValueOf(memory.recent)] : []
  for (const range of usual) {
    if (range && !signs.some((sign) => sameRange(sign, range))) signs.push(range)
  }
  return signs
}

/**
 * Reads a block that got no answer in parts until the silent range is isolated, and remembers that range. The unit must
 * be alive. Returns true if the block could be read as a whole.
 */
export async function isolate(run: PlanRun, block: Block<Wanted>, miss: Unanswered): Promise<boolean> {
  const cause = { silence: miss.unanswered.message }
  // A stray reply, a lost socket or a request lost behind a gateway need not be caused by this range.
  const askAgain = miss.cause === 'gateway' || (miss.cause === 'broken' && !halve(block))
  const again = askAgain ? await run.ask(block, 'short') : miss
  if ('data' in again) {
    run.take(block, again.data)
    return true
  }
  return readHalves(run, block, 'exception' in again ? again : cause)
}

/** Reads a part of an unreadable block. Returns true if the part could be read as a whole. */
export async function readPart(run: PlanRun, block: Block<Wanted>, cause: Cause): Promise<boolean> {
  if (run.isExhausted) {
    run.leave(block, cause)
    return false
  }
  const answer = await run.ask(block, 'silence' in cause ? 'short' : run.firstPatience)
  if ('data' in answer) {
    run.take(block, answer.data)
    return true
  }
  if ('exception' in answer) return readHalves(run, block, answer)
  return (await confirmAlive(run, block, answer)) || isolate(run, block, withFirstReason(answer, cause))
}

/**
 * Reads a block that was refused or got no answer in parts until the unreadable range is isolated. Returns false: the
 * block could not be read as a whole.
 */
export async function readHalves(run: PlanRun, block: Block<Wanted>, cause: Cause): Promise<boolean> {
  const halves = halve(block)
  if (!halves) {
    run.rememberHole(block, cause)
    return false
  }
  if (run.isExhausted) {
    run.leave(block, cause)
    return false
  }
  const [left, right] = halves
  const leftWhole = await readPart(run, left, cause)
  const rightWhole = await readPart(run, right, cause)
  const between = leftWhole && rightWhole ? holeBetween(left, right) : undefined
  // Equipment that was busy is read in one request again next time.
  if (between && !isPassing(cause))
    run.memory.holes.remember({ ...between, cause, isGap: true, askedAt: run.session.now() })
  return false
}

/** Keeps the message of the first of two timeouts: it names the full timeout. */
function withFirstReason(miss: Unanswered, cause: Cause): Unanswered {
  if (miss.cause !== 'timeout' || !('silence' in cause)) return miss
  return { ...miss, unanswered: new Failure('offline', cause.silence) }
}
