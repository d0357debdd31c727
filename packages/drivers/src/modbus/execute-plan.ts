import type { Reading } from '../driver.ts'
import { type Block, sameRange } from './blocks.ts'
import type { Suspect } from './holes.ts'
import { confirmAlive, isolate, readHalves, readPart } from './isolate.ts'
import type { PlanRun } from './plan-run.ts'
import { firstValueOf, type Wanted } from './read-plan.ts'
import type { Unanswered } from './read-policy.ts'
import { retryRefused, retrySilent } from './retry-holes.ts'
import type { Answer } from './unit-session.ts'

const NOT_ASKED = 'not read: too many other requests to the unit got no answer'

/**
 * Returns one reading per point of the plan, in order. A block that the equipment refuses or does not answer is read in
 * parts until the unreadable range is isolated, so that it costs no other point its value. The range is remembered, and
 * each call retries some of the remembered ranges. Rejects with `offline` when the link is lost or the whole unit is
 * silent.
 */
export async function executePlan(run: PlanRun): Promise<readonly Reading[]> {
  const { plan, memory, session } = run
  if (plan.pointIds.length === plan.unknown.size) return run.readings
  if (session.silence()) await probeUnit(run)
  if (memory.returns !== session.returns()) {
    memory.returns = session.returns()
    memory.holes.retryAllNow()
  }

  const missed = await readBlocks(run)
  for (const { block, miss } of missed) {
    if (run.isExhausted) run.leave(block, { silence: miss.unanswered.message })
    else await isolate(run, block, miss)
  }
  await readSuspects(run)
  if (plan.held.size > 0 || plan.gaps.size > 0) {
    const settled = await retryRefused(run)
    await retrySilent(run, settled)
  }
  return run.readings
}

/** Reads the suspects of the plan, and forgets those whose parts were all tried. */
async function readSuspects(run: PlanRun): Promise<void> {
  const { plan, memory } = run
  const tried = new Set<Suspect>()
  for (const { block, suspect } of plan.suspects) {
    if (run.isExhausted) tried.delete(suspect)
    else tried.add(suspect)
    await readPart(run, block, suspect.cause)
  }
  for (const suspect of tried) {
    // An urgent read may cover only a part of the suspect.
    const isWhole = !run.isUrgent || plan.suspects.some(({ block }) => sameRange(block, suspect))
    if (isWhole) memory.holes.forgetSuspect(suspect)
  }
}

/** Probes a silent unit with one small read. Throws the reason for its silence unless it answers. */
async function probeUnit(run: PlanRun): Promise<void> {
  const { session } = run
  const reason = session.silence()
  const patience = session.beginProbe()
  if (!patience) throw reason
  let missed: Unanswered | undefined
  try {
    const range = rangeToProbe(run)
    const answer = await run.ask(range, patience, true)
    if ('data' in answer) run.memory.recent = range
    if ('unanswered' in answer) missed = answer
  } finally {
    session.endProbe(missed)
  }
  if (missed) throw session.silence() ?? missed.unanswered
}

/** Returns the range to probe: alternately the one that answered last and each of the others in turn. */
function rangeToProbe({ memory, plan }: PlanRun): Block<Wanted> {
  const turn = memory.probes
  memory.probes += 1
  if (memory.recent && turn % 2 === 0) return firstValueOf(memory.recent)
  const ranges = plan.ranges()
  const range = ranges[(memory.recent ? turn >> 1 : turn) % ranges.length]
  if (!range) throw new RangeError('a plan without ranges')
  return range
}

/** Reads the blocks of the plan. Returns those that got no answer although the unit is alive. */
async function readBlocks(run: PlanRun): Promise<readonly { block: Block<Wanted>; miss: Unanswered }[]> {
  const { blocks } = run.plan
  const missed: { block: Block<Wanted>; miss: Unanswered }[] = []
  let asked: Promise<Answer> | undefined
  for (const [index, block] of blocks.entries()) {
    if (!asked && run.isOutOfTime) {
      run.fail(block, NOT_ASKED)
      continue
    }
    const answer = await (asked ?? run.send(block, run.firstPatience))
    run.note(answer)
    asked = undefined
    if ('data' in answer) {
      const next = blocks[index + 1]
      // The equipment prepares its next answer while this one is decoded.
      if (next && !run.isOutOfTime) asked = run.send(next, run.firstPatience)
      run.take(block, answer.data)
    } else if ('exception' in answer) {
      await readHalves(run, block, answer)
    } else if (!(await confirmAlive(run, block, answer))) {
      missed.push({ block, miss: answer })
    }
  }
  return missed
}
