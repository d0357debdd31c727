import type { Block } from './blocks.ts'
import { type Cause, causeText, isIllegal, type KnownHole } from './holes.ts'
import { confirmAlive } from './isolate.ts'
import type { PlanRun } from './plan-run.ts'
import type { Wanted } from './read-plan.ts'
import type { Patience } from './read-policy.ts'
import type { Answer } from './unit-session.ts'

type Held = readonly [hole: KnownHole, block: Block<Wanted>]

/**
 * Retries one refused range, in turn, and more while they can be read again. Gives the other refused ranges their error.
 * Returns the holes that have their reading.
 */
export async function retryRefused(run: PlanRun): Promise<ReadonlySet<KnownHole>> {
  const { plan, memory } = run
  const settled = new Set<KnownHole>()
  let cameBack = !run.isExhausted
  for (const [hole, block] of inTurn(run, plan.held)) {
    if ('silence' in hole.cause) continue
    settled.add(hole)
    if (cameBack || !memory.holes.has(hole)) cameBack = await retryRange(run, hole, block)
    else run.fail(block, causeText(hole.cause))
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
 * Retries silent ranges that are due, in turn, until one gives no answer. Where one can be read again, the others are
 * due too. Gives the other silent ranges their error.
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
    // Another reading may have found that it can be read again.
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

/** Asks once more after a stray reply or a lost socket, since that need not come from this range. */
async function askAgainIfBroken(run: PlanRun, block: Block<Wanted>, patience: Patience): Promise<Answer> {
  const answer = await run.ask(block, patience)
  return 'unanswered' in answer && answer.cause === 'broken' ? run.ask(block, 'short') : answer
}

/** Reads across a gap as the plan would without it, and forgets the gap when that is answered. False after a miss. */
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

/** After a short timeout the older message stays: it names the whole timeout. */
const firstOf = (before: Cause, now: Cause, isWhole: boolean) => ('silence' in before && !isWhole ? before : now)

/** First the holes that another reading has forgotten meanwhile, then the others in their row. */
function inTurn({ memory }: PlanRun, holes: ReadonlyMap<KnownHole, Block<Wanted>>): readonly Held[] {
  if (holes.size === 0) return []
  const places = new Map(memory.holes.known().map((hole, place) => [hole, place]))
  const placeOf = (hole: KnownHole) => places.get(hole) ?? -1
  return [...holes].sort(([a], [b]) => placeOf(a) - placeOf(b))
}
