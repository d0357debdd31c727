import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addReading, openInterval } from '../telemetry/interval.ts'
import { allowedUntilEnd, MOST, QUARTER_MS } from './ceiling.ts'
import { regulate } from './regulator.ts'
import { type LoadSeen, NOTHING_MOVED, type SwitchingLoad } from './regulator-state.ts'

const CEILING_KW = 60
const QUARTER_S = QUARTER_MS / 1000

type Switching = LoadSeen & SwitchingLoad

const plant = fc
  .array(
    fc.record({
      priority: fc.integer({ min: 1, max: 3 }),
      ratedKw: fc.integer({ min: 2, max: 20 }),
      minOnSeconds: fc.constantFrom(0, 60, 300, 600),
      minOffSeconds: fc.constantFrom(0, 60, 300, 600),
      /** A load that does not react goes on drawing. */
      reacts: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((loads) => loads.map((load, index) => ({ ...load, id: `load ${index}` })))

interface Site {
  loads: typeof plant extends fc.Arbitrary<infer Loads> ? Loads : never
  /** What people draw in each sixth of two hours. */
  bases: readonly number[]
  reportSeconds: number
  noiseKw: number
  /** The meter counts in the other direction. */
  isTurned: boolean
  /** The meter shows its last value from this second on. */
  frozenFrom: number
  /** What the site is said to draw at most, right or wrong. */
  highestKw?: number | undefined
}

/** Two hours of a site whose meter is noisy, slow, stuck or turned. Returns the mean of each quarter, and when each load switched. */
function twoHours({ loads, bases, reportSeconds, noiseKw, isTurned, frozenFrom, highestKw }: Site) {
  const switched = new Map<string, { at: number; isOn: boolean }[]>(loads.map(({ id }) => [id, []]))
  const means: number[] = []
  let [state, interval, used, shown, isExhausted] = [NOTHING_MOVED, openInterval(0), 0, 0, false]
  for (let second = 0; second < 7_200; second += 5) {
    const isOff = (id: string) => state.loads.get(id)?.atMostKw === 0
    const base = bases[Math.floor((second / 7_200) * bases.length)] ?? 0
    const running = loads.filter(({ id, reacts }) => !(reacts && isOff(id)))
    const kw = base + running.reduce((sum, { ratedKw }) => sum + ratedKw, 0)
    used += kw * 5
    const now = second * 1000
    const to = (Math.floor(second / QUARTER_S) + 1) * QUARTER_MS
    if (second % reportSeconds === 0) {
      if (second < frozenFrom) shown = (isTurned ? -kw : kw) + noiseKw * Math.sin(second * 12.9898)
      interval = addReading(interval, { at: now, value: shown }, 90_000)
      const seen = loads.map(
        ({ reacts: _, ...load }): Switching => ({ ...load, kind: 'switching', wantedKw: load.ratedKw, isHeld: false }),
      )
      const ceiling = {
        allowedKw: allowedUntilEnd(CEILING_KW, { interval, to, now }),
        leftSeconds: (to - now) / 1000,
        ...{ laterKw: CEILING_KW, peakKw: MOST * CEILING_KW },
      }
      const about = { loads: seen, meter: { kw: shown, at: now }, ceiling, hysteresisKw: 1.2, patience: 2, highestKw }
      const done = regulate(state, about, now)
      for (const { id } of loads) {
        const isOn = done.state.loads.get(id)?.atMostKw !== 0
        if (isOn === isOff(id)) switched.get(id)?.push({ at: second, isOn })
      }
      state = done.state
      isExhausted = done.isExhausted
    }
    if ((second + 5) % QUARTER_S !== 0) continue
    means.push(used / QUARTER_S)
    used = 0
    interval = openInterval(to, interval)
  }
  return { means, switched, isExhausted }
}

const site = fc.record({
  loads: plant,
  bases: fc.array(fc.integer({ min: 0, max: 90 }), { minLength: 1, maxLength: 6 }),
  reportSeconds: fc.constantFrom(5, 10, 60),
  noiseKw: fc.constantFrom(0, 1, 5),
  isTurned: fc.constantFrom(false, false, true),
  frozenFrom: fc.constantFrom(Number.POSITIVE_INFINITY, 900, 3_000),
  highestKw: fc.option(fc.integer({ min: -50, max: 500 }), { nil: undefined }),
})

describe('with a meter that is noisy, slow, stuck or turned, and loads that do not react', () => {
  test('no load switches before its time, or more than once in five minutes beyond what its times allow', () => {
    fc.assert(
      fc.property(site, (site) => {
        const { switched } = twoHours(site)
        for (const { id, minOnSeconds, minOffSeconds } of site.loads) {
          const times = switched.get(id) ?? []
          for (const [index, { at, isOn }] of times.entries()) {
            const before = times[index - 1]?.at ?? 0
            expect(at - before).toBeGreaterThanOrEqual(isOn ? minOffSeconds : minOnSeconds)
          }
          // Without minimum times, a run that is worth a switch still takes five minutes.
          expect(times.length).toBeLessThanOrEqual((2 * 7_200) / 300)
        }
      }),
      cases(150),
    )
  })

  test('a site that draws more than it ever did makes no load switch more often', () => {
    const load = { id: 'load', priority: 1, ratedKw: 10, minOnSeconds: 0, minOffSeconds: 0, reacts: true } as const
    const meter = { reportSeconds: 5, noiseKw: 0, isTurned: false, frozenFrom: Number.POSITIVE_INFINITY }
    const { switched, means } = twoHours({ loads: [load], bases: [51], ...meter, highestKw: 0 })
    expect(switched.get('load')?.length).toBeLessThanOrEqual((2 * 7_200) / 300)
    expect(Math.max(...means)).toBeLessThanOrEqual(CEILING_KW)
  })

  test('the mean of a constant site is kept wherever the loads can keep it', () => {
    const constant = site.map((site) => ({
      ...site,
      loads: site.loads.map((load) => ({ ...load, reacts: true })),
      bases: site.bases.slice(0, 1),
      isTurned: false,
      frozenFrom: Number.POSITIVE_INFINITY,
    }))
    fc.assert(
      fc.property(constant, (site) => {
        const [base = 0] = site.bases
        const { means } = twoHours(site)
        // The first quarter begins with loads that may not stop yet. Fifteen readings of a noisy meter miss its mean by so much.
        if (base + site.noiseKw <= CEILING_KW * 0.98) {
          for (const mean of means.slice(1)) expect(mean).toBeLessThanOrEqual(CEILING_KW + site.noiseKw / 3)
        }
      }),
      cases(150),
    )
  })

  test('a ceiling below what the loads can do stops all of them once, and says that everything is used up', () => {
    fc.assert(
      fc.property(plant, (loads) => {
        const { switched, isExhausted } = twoHours({
          ...{
            loads,
            bases: [90],
            reportSeconds: 5,
            noiseKw: 0,
            isTurned: false,
            frozenFrom: Number.POSITIVE_INFINITY,
          },
        })
        expect(loads.map(({ id }) => switched.get(id)?.map(({ isOn }) => isOn))).toEqual(loads.map(() => [false]))
        expect(isExhausted).toBe(true)
      }),
      cases(60),
    )
  })
})

test('after a step of 100 kW, the second reading stops what can be stopped', () => {
  const loads = ['a', 'b'].map(
    (id): Switching => ({
      ...{ id, kind: 'switching', priority: 1, ratedKw: 50, wantedKw: 50 },
      ...{ minOnSeconds: 0, minOffSeconds: 300, isHeld: false },
    }),
  )
  const ceiling = { allowedKw: 150, leftSeconds: 600, laterKw: 150, peakKw: 225 }
  const seen = (kw: number, at: number) => ({ loads, meter: { kw, at }, ceiling, hysteresisKw: 1, patience: 2 })
  const quiet = regulate(NOTHING_MOVED, seen(140, 0), 0).state
  const first = regulate(quiet, seen(240, 5_000), 5_000)
  const second = regulate(first.state, seen(240, 10_000), 10_000)
  expect([first.movedKw, second.movedKw]).toEqual([0, -100])
})

test('where it is known what the site may draw, loads run for as long as the energy covers that', () => {
  const load: Switching = {
    ...{ id: 'boiler', kind: 'switching', priority: 1, ratedKw: 9, wantedKw: 9 },
    ...{ minOnSeconds: 0, minOffSeconds: 300, isHeld: false },
  }
  const runsWith = (highestKw: number | undefined, othersKw: number) => {
    const ceiling = { allowedKw: CEILING_KW, leftSeconds: QUARTER_S, laterKw: CEILING_KW, peakKw: MOST * CEILING_KW }
    const seen = (at: number) => ({
      ...{ loads: [load], meter: { kw: othersKw + 9, at }, ceiling, hysteresisKw: 1.2, patience: 2, highestKw },
    })
    return regulate(regulate(NOTHING_MOVED, seen(0), 0).state, seen(5_000), 5_000).movedKw === 0
  }
  expect([runsWith(undefined, 50.9), runsWith(51, 50.9), runsWith(80, 50.9)]).toEqual([true, true, false])
  // Nothing is kept back for what the loads could not make up for.
  expect(runsWith(500, 50)).toBe(true)
})

test('what has to be saved in a quarter of an hour is saved at its beginning, and no more than that', () => {
  const loads = [9, 12].map(
    (ratedKw): Switching => ({
      ...{ id: `${ratedKw} kW`, kind: 'switching', priority: ratedKw, ratedKw, wantedKw: ratedKw },
      ...{ minOnSeconds: 0, minOffSeconds: 300, isHeld: false },
    }),
  )
  const movedIn = (leftSeconds: number, others: number) => {
    const ceiling = { allowedKw: CEILING_KW, leftSeconds, laterKw: CEILING_KW, peakKw: MOST * CEILING_KW }
    const seen = (at: number) => ({ loads, meter: { kw: others + 21, at }, ceiling, hysteresisKw: 1.2, patience: 2 })
    return regulate(regulate(NOTHING_MOVED, seen(0), 0).state, seen(5_000), 5_000).movedKw
  }
  expect(movedIn(QUARTER_S, 38)).toBe(0)
  expect(movedIn(QUARTER_S, 42)).toBe(-9)
  // Too late to run it again within the quarter: it runs for as long as the energy covers it.
  expect(movedIn(590, 42)).toBe(0)
})
