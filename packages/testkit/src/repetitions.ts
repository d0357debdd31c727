import { appendFileSync } from 'node:fs'
import { systemClock } from '@plantroom/base/clock'
import fc from 'fast-check'
import { type Random, randomOf } from './random.ts'

/**
 * The suite repeats a property a third as often as its test says, with the same seed every time: a suite that finds something
 * new by chance would fail changes that are innocent. A campaign (`plantroom campaign`) repeats the same test for as long as you
 * like, with a new seed: it sets these variables and reads the records.
 */
const { PLANTROOM_TEST_SEED, PLANTROOM_TEST_FROM, PLANTROOM_TEST_RUNS, PLANTROOM_TEST_RECORDS } = process.env
const SEED = Number(PLANTROOM_TEST_SEED ?? 1)
const FIRST_RUN = Number(PLANTROOM_TEST_FROM ?? 1)
const RECORD_EVERY_MS = 200

/** One repetition of a property. Its seed decides everything that is random in it. */
export interface Run {
  readonly number: number
  readonly seed: number
  readonly random: Random
}

/** True in a campaign, for cases that take too long for every run of the suite. */
export const isCampaign = PLANTROOM_TEST_RUNS !== undefined

/** The number of times `repeat(usual, …)` repeats, for tests that derive a timeout from it. */
export function repetitions(usual: number): number {
  return isCampaign ? Number(PLANTROOM_TEST_RUNS) : Math.ceil(usual / 3)
}

/** Runs a property `usual` times, or as often as a campaign asks. The error of a violation names the run and the seed. */
export async function repeat(usual: number, property: (run: Run) => void | Promise<void>): Promise<void> {
  let unrecorded = 0
  let recordedAt = systemClock.monotonic()
  for (let number = FIRST_RUN; number < FIRST_RUN + repetitions(usual); number += 1) {
    const seed = seedOf(number)
    try {
      await property({ number, seed, random: randomOf(seed) })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      record({ runs: unrecorded + 1, violatedBy: number })
      throw new Error(`run ${number} of seed ${SEED}: ${message}`, { cause: error })
    }
    unrecorded += 1
    // One record per run would take longer than the fastest properties.
    if (systemClock.monotonic() - recordedAt > RECORD_EVERY_MS) {
      record({ runs: unrecorded })
      unrecorded = 0
      recordedAt = systemClock.monotonic()
    }
  }
  if (unrecorded > 0) record({ runs: unrecorded })
}

/**
 * Parameters for `fc.assert` with `usual` cases. A run of a campaign is that many cases; fast-check derives them all from
 * the seed of the first run.
 */
export function cases<Values>(usual: number): fc.Parameters<Values> {
  const runs = repetitions(1)
  return {
    numRuns: isCampaign ? usual * runs : Math.ceil(usual / 3),
    seed: seedOf(FIRST_RUN),
    reporter(details) {
      record({ runs, ...(details.failed && { violatedBy: FIRST_RUN }) })
      if (!details.failed) return
      const message = `run ${FIRST_RUN} of seed ${SEED}: ${fc.defaultReportMessage(details)}`
      throw new Error(message, { cause: details.errorInstance })
    },
  }
}

/** Mixes the seed with the number of a run, so that the runs of neighbouring seeds differ. */
function seedOf(run: number): number {
  return (Math.imul(SEED, 0x9e37_79b1) + Math.imul(run, 0x85eb_ca6b)) | 0
}

/** Adds a line to the records of the campaign; `tools/src/campaign/records.ts` reads them. */
function record(line: { runs: number; violatedBy?: number }): void {
  if (PLANTROOM_TEST_RECORDS !== undefined) appendFileSync(PLANTROOM_TEST_RECORDS, `${JSON.stringify(line)}\n`)
}
