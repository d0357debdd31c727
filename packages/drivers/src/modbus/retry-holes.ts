import type { Block } from './blocks.ts'
import { type Cause, causeText, isIllegal, isPassing, type KnownHole } from './holes.ts'
import { confirmAlive } from './isolate.ts'
import type { PlanRun } from './plan-run.ts'
import type { Wanted } from './read-plan.ts'
import type { Patience } from './read-policy.ts'
import type { Answer } from './unit-session.ts'

type Held = readonly [hole: KnownHole, block: Block<Wanted>]

// A busy range is worth a request in every call, as long as there are few.
const MAX_BUSY = 8

/**
 * Retries refused ranges in turn, until one is still refused, or several are still busy. Sets the error of the remaining ones. Returns the holes
 * whose readings are set.
 */
export async function retryRefused(run: PlanRun): Promise<ReadonlySet<KnownHole>> {
  const { plan, memory } = run
  const settled = new Set<KnownHole>()
  let mayAsk = !run.isExhausted
  let busy = 0
  for (const [hole, block] of inTurn(run, plan.held)) {
    if ('silence' in hole.cause) continue
    settled.add(hole)
    if (mayAsk || !memory.holes.has(hole)) {
      const wasBusy = isPassing(hole.cause)
      const isBack = await retryRange(run, hole, block)
      if (!isBack && wasBusy) busy += 1
      mayAsk = isBack || (wasBusy && busy < MAX_BUSY)
    } else run.fail(block, causeText(hole.cause))
  }
  if (run.isUrgent || run.isExhausted) return settled
  const [gap] = inTurn(run, plan.gaps).filter(([{ cause }]) => 'exception' in cause && !isIllegal(cause.exception))
  if (gap) await retryGap(run, ...gap)
  return settled
}

async function retryRange(run: PlanRun, hole: KnownHole, block: Block<Wanted>): Promise<boolean> {
  run.memory.holes.asked(hole, run.session.now())
  const answer = await askAgainIfBroken(run, block, run.firstPatience)
  if ('data' in answer) {
    run.take(block, answer.data)
    return true
  }
  if ('unanswered' in answer && (await confirmAlive(run, block, answer))) return true
  run.rememberHole(block, 'exception' in answer ? answer : { silence: answer.unanswered.message })
  return false
}

/**
 * Retries due silent ranges in turn, until one does not answer. If one can be read again, the others become due too.
 * Sets the error of the remaining ones.
 */
export async function retrySilent(run: PlanRun, settled: ReadonlySet<KnownHole>): Promise<void> {
  const { plan, memory, session } = run
  let mayAsk = !run.hasWaited
  let cameBack = false
  const patienceFor = (hole: KnownHole) => {
    if (!mayAsk) return undefined
    return cameBack ? 'short' : session.retryPatience(hole.askedAt)
  }

  for (const [hole, block] of inTurn(run, plan.held)) {
    if (settled.has(hole)) continue
    // Another read may have found that the range is readable again.
    const patience = memory.holes.has(hole) ? patienceFor(hole) : 'short'
    if (!patience) {
      run.fail(block, causeText(hole.cause))
      continue
    }
    memory.holes.asked(hole, session.now())
    const answer = await askAgainIfBroken(run, block, patience)
    if ('data' in answer) {
      run.take(block, answer.data)
      cameBack = true
    } else if ('exception' in answer) {
      run.rememberHole(block, answer)
      cameBack = true
    } else {
      mayAsk = false
      session.retryMissed(answer)
      if (!run.isAnswered && (await confirmAlive(run, block, answer))) continue
      run.rememberHole(block, firstOf(hole.cause, { silence: answer.unanswered.message }, answer.patience === 'full'))
    }
  }

  if (run.isUrgent) return
  for (const [gap, block] of inTurn(run, plan.gaps)) {
    const patience = 'silence' in gap.cause ? patienceFor(gap) : undefined
    if (patience) mayAsk = await retryGap(run, gap, block, patience)
  }
}

/** Reads a block, and once more after a stray reply or a lost socket, which need not be caused by this range. */
async function askAgainIfBroken(run: PlanRun, block: Block<Wanted>, patience: Patience): Promise<Answer> {
  const answer = await run.ask(block, patience)
  return 'unanswered' in answer && answer.cause === 'broken' ? run.ask(block, 'short') : answer
}

/** Reads across a gap, and forgets the gap if that succeeds. Returns false if there was no answer. */
async function retryGap(
  run: PlanRun,
  gap: KnownHole,
  block: Block<Wanted>,
  patience = run.firstPatience,
): Promise<boolean> {
  const { holes } = run.memory
  holes.asked(gap, run.session.now())
  const answer = await run.ask(block, patience)
  if ('data' in answer) {
    run.take(block, answer.data)
    holes.forget(gap)
  } else if ('exception' in answer) {
    gap.cause = { exception: answer.exception }
  } else {
    run.session.retryMissed(answer)
    gap.cause = { silence: answer.unanswered.message }
    return false
  }
  return true
}

/** Keeps the earlier message after a short timeout: it names the full timeout. */
const firstOf = (before: Cause, now: Cause, isWhole: boolean) => ('silence' in before && !isWhole ? before : now)

/** Returns first the holes that another read has forgotten in the meantime, then the others in retry order. */
function inTurn({ memory }: PlanRun, holes: ReadonlyMap<KnownHole, Block<Wanted>>): readonly Held[] {
  if (holes.size === 0) return []
  const places = new Map(memory.holes.known().map((hole, place) => [hole, place]))
  const placeOf = (hole: KnownHole) => places.get(hole) ?? -1
  return [...holes].sort(([a], [b]) => placeOf(a) - placeOf(b))
}
