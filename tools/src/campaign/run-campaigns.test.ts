import { globSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../steps.ts'
import { CAMPAIGNS, type Campaign } from './campaigns.ts'
import { judgeBatch } from './run-batch.ts'
import { type BatchResult, closingLine, runCampaigns, type Violation } from './run-campaigns.ts'

const campaign = (name: string, batch: number): Campaign => ({ name, summary: '', files: [], batch })
const MINUTE_MS = 60_000

/** Batches that take a minute each. `found` decides what a batch finds; `interruptAt` is the batch that Ctrl-C stops. */
function laboratory(
  found: (from: number) => readonly Violation[] = () => [],
  { interruptAt = Number.POSITIVE_INFINITY, skipped = [] as string[] } = {},
) {
  const lines: string[] = []
  const batches: string[] = []
  let now = 0
  return {
    lines,
    batches,
    deps: {
      async runBatch({ name, batch }: Campaign, seed: number, from: number): Promise<BatchResult> {
        batches.push(`${name} ${seed} ${from}`)
        now += MINUTE_MS
        return { runs: batch, violations: found(from), skipped }
      },
      now: () => now,
      isInterrupted: () => batches.length >= interruptAt,
      print: (line: string) => void lines.push(line),
    },
  }
}

describe('a campaign', () => {
  test('runs batch after batch until its minutes are over, and prints how to continue', async () => {
    const { lines, batches, deps } = laboratory()
    const totals = await runCampaigns([campaign('kills', 5)], { seed: 7, from: 1, minutes: 3 }, deps)
    expect(batches).toEqual(['kills 7 1', 'kills 7 6', 'kills 7 11'])
    expect(totals).toEqual({ runs: 15, violations: 0 })
    expect(lines.at(-1)).toBe('kills: continue with plantroom campaign kills --seed 7 --from 16')
  })

  test('starts at the run that it continues from', async () => {
    const { batches, deps } = laboratory()
    await runCampaigns([campaign('kills', 5)], { seed: 7, from: 16, minutes: 1 }, deps)
    expect(batches).toEqual(['kills 7 16'])
  })

  test('shares the minutes with others', async () => {
    const { batches, deps } = laboratory()
    await runCampaigns([campaign('kills', 1), campaign('model', 1)], { seed: 7, from: 1, minutes: 4 }, deps)
    expect(batches).toEqual(['kills 7 1', 'kills 7 2', 'model 7 1', 'model 7 2'])
  })

  test('runs one batch at least, however short the time', async () => {
    const { batches, deps } = laboratory()
    await runCampaigns([campaign('kills', 1), campaign('model', 1)], { seed: 7, from: 1, minutes: 0.01 }, deps)
    expect(batches).toEqual(['kills 7 1', 'model 7 1'])
  })

  test('prints the command that repeats each violation, and continues', async () => {
    const { lines, deps } = laboratory((from) => (from === 3 ? [{ run: 4, message: 'it was lost\n' }] : []))
    const totals = await runCampaigns([campaign('kills', 2)], { seed: 7, from: 1, minutes: 3 }, deps)
    expect(totals).toEqual({ runs: 6, violations: 1 })
    expect(lines).toContain(
      'it was lost\nVIOLATION in run 4; repeat it with plantroom campaign kills --seed 7 --from 4',
    )
  })

  test('that is interrupted continues with the batch that was cut off, and starts no other campaign', async () => {
    const { lines, batches, deps } = laboratory(() => [], { interruptAt: 2 })
    const all = [campaign('kills', 5), campaign('model', 1)]
    await runCampaigns(all, { seed: 7, from: 1, minutes: 60 }, deps)
    expect(batches).toEqual(['kills 7 1', 'kills 7 6'])
    expect(lines.at(-1)).toBe('kills: continue with plantroom campaign kills --seed 7 --from 6')
  })

  test('whose tests are all skipped ends instead of repeating nothing', async () => {
    const { lines, batches, deps } = laboratory()
    await runCampaigns([campaign('clocks', 0)], { seed: 7, from: 1, minutes: 60 }, deps)
    expect(batches).toEqual(['clocks 7 1'])
    expect(lines.at(-1)).toMatch(/^clocks: skipped/)
  })
})

test('a campaign says which programs of others it has skipped', async () => {
  const output = 'stdout | a.test.ts\nskipped: BAC0, because it cannot be installed: no network\n\n Tests  1 passed'
  const { runs, skipped } = judgeBatch('', { ok: true, output, from: 1 })
  expect(runs).toBe(1)
  const { lines, deps } = laboratory(() => [], { skipped: [...skipped] })
  await runCampaigns([campaign('interop', 1)], { seed: 7, from: 1, minutes: 1 }, deps)
  expect(lines[0]).toBe('skipped: BAC0, because it cannot be installed: no network')
})

test('the closing line has a fixed form', () => {
  expect(closingLine({ runs: 1200, violations: 0 })).toBe('1200 runs, 0 violations')
  expect(closingLine({ runs: 1, violations: 1 })).toBe('1 runs, 1 violations')
})

describe('the records of a batch', () => {
  const records = (...lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

  test('are added up', () => {
    const text = records({ runs: 3 }, { runs: 2 })
    expect(judgeBatch(text, { ok: true, output: '', from: 1 })).toMatchObject({ runs: 5, violations: [] })
  })

  test('name the runs that violated a property; the output is shown once', () => {
    const text = records({ runs: 3, violatedBy: 4 }, { runs: 1, violatedBy: 2 })
    expect(judgeBatch(text, { ok: false, output: 'what failed', from: 2 })).toMatchObject({
      runs: 4,
      violations: [
        { run: 4, message: 'what failed' },
        { run: 2, message: '' },
      ],
    })
  })

  test.each([
    [1, '      Tests  8 passed | 2 skipped (10)'],
    [1, '  63 passed (10.4m)'],
    [0, ' Test Files  1 skipped (1)\n      Tests  5 skipped (5)'],
  ])('that repeat nothing are %i run after "%s"', (runs, output) => {
    expect(judgeBatch('', { ok: true, output, from: 1 })).toMatchObject({ runs, violations: [] })
  })

  test('may lack the reason of a failure: then the first run of the batch counts as the violation', () => {
    const result = judgeBatch(records({ runs: 3 }), { ok: false, output: 'a hook failed', from: 9 })
    expect(result).toMatchObject({ runs: 3, violations: [{ run: 9, message: 'a hook failed' }] })
  })

  test('may end in the middle of a line, when the tests were killed', () => {
    const result = judgeBatch(`${records({ runs: 3 })}{"runs":`, { ok: true, output: '', from: 1 })
    expect(result).toMatchObject({ runs: 3, violations: [] })
  })
})

test('the files of every campaign exist', () => {
  for (const { files } of CAMPAIGNS) expect(globSync([...files], { cwd: ROOT }).sort()).toEqual([...files].sort())
})
