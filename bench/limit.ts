import { regulate } from '@plantroom/edge/optimisation/regulator'
import { type LoadSeen, NOTHING_MOVED } from '@plantroom/edge/optimisation/regulator-state'
import { siteDays } from '@plantroom/edge/optimisation/site-days'
import { randomOf } from '@plantroom/testkit/random'
import { against, alone, type Measurement } from './support/measurement.ts'

const SEEDS = 10
const DAYS = 7
/** Misses of a battery are rare. */
const OTHER_WEEKS = 40
/** What is planned with a battery was chosen in the weeks before this one. */
const FRESH = 51
/** The seed of the week before is this much higher. */
const WEEK_BEFORE = 1_000
const LOADS = 50
const STEPS = 2_000
const ROUNDS = 7

/** Measures what is made of a ceiling in simulated weeks, and a step of the regulator against sorting and copying its loads. */
export function benchLimit(): Promise<Measurement[]> {
  return Promise.resolve([
    ...weeks('a battery and two switching loads', true),
    ...weeks('the same with a charge that is read', true, { isChargeRead: true }),
    ...weeks('a battery in weeks that chose nothing', true, { firstSeed: FRESH, count: OTHER_WEEKS }),
    ...weeks('the same with a charge that is read', true, {
      ...{ isChargeRead: true, firstSeed: FRESH, count: OTHER_WEEKS },
    }),
    ...weeks('two switching loads at a new site', false),
    ...weeks('two switching loads, known for a week', false, { isKnown: true }),
    ...weeks('the same in weeks that chose nothing', false, { isKnown: true, firstSeed: SEEDS + 1 }),
    step(),
  ])
}

function weeks(
  plant: string,
  hasBattery: boolean,
  { isKnown = false, isChargeRead = false, firstSeed = 1, count = SEEDS } = {},
): Measurement[] {
  const all = Array.from({ length: count }, (_, index) => {
    const seed = firstSeed + index
    const after = isKnown && { after: randomOf(seed + WEEK_BEFORE) }
    return siteDays(randomOf(seed), { days: DAYS, hasBattery, isChargeRead, ...after })
  })
  const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0)
  const note = `${plant}; ${count} weeks, ${sum(({ quarters }) => quarters)} quarters of an hour`
  return [
    alone('margin used while there is demand', (sum(({ used }) => used) / count) * 100, '%', `${note}; target: 95`),
    alone(
      'quarters above that an oracle could keep',
      sum(({ avoidable }) => avoidable),
      '',
      `${note}; it knows the future; target: 0`,
    ),
    alone(
      'quarters above that could be foreseen',
      sum(({ foreseeable }) => foreseeable),
      '',
      `${note}; by an oracle that knows only the past and the stated worst case; target: 0`,
    ),
    alone(
      'worst mean above the ceiling',
      Math.max(...all.map(({ worstKw }) => worstKw)),
      'kW',
      'of those; ceiling: 60 kW',
    ),
    alone('switches of a load in a day', sum(({ switches }) => switches) / count / DAYS / 2, '', plant),
  ]
}

function step(): Measurement {
  const loads = Array.from({ length: LOADS }, (_, index): LoadSeen => {
    const common = { id: `load ${index}`, priority: index % 7, wantedKw: 10, isHeld: false }
    return index % 2 === 0
      ? { ...common, kind: 'modulating', minKw: -10, maxKw: 10 }
      : { ...common, kind: 'switching', ratedKw: 10, minOnSeconds: 0, minOffSeconds: 0 }
  })
  const ceiling = { leftSeconds: 900, laterKw: 250, peakKw: 375, allowedKw: 250 }
  const milliseconds = (work: (round: number) => void) => {
    const before = process.cpuUsage()
    for (let round = 0; round < STEPS; round += 1) work(round)
    return process.cpuUsage(before).user / 1000 / STEPS
  }
  const [steps, floors]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    let state = NOTHING_MOVED
    steps.push(
      milliseconds((index) => {
        const meter = { kw: 250 + 200 * Math.sin(index), at: index * 20_000 }
        state = regulate(state, { loads, meter, ceiling, hysteresisKw: 5, patience: 1 }, meter.at).state
      }),
    )
    floors.push(
      milliseconds(() => {
        const sorted = loads.toSorted((a, b) => a.priority - b.priority)
        new Map(sorted.map((load) => [load.id, { ...load }]))
      }),
    )
  }
  const note = `floor: ${LOADS} loads sorted and copied; CPU, median of ${ROUNDS} rounds; target: under 1 ms`
  return against(`step of the regulator with ${LOADS} loads`, steps, 'ms', floors, note)
}
