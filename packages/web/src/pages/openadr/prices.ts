import type { OpenadrEvent } from '@plantroom/contract/openadr'
import type { PlotLine } from '../../parts/chart/plot-picture.ts'
import { shownValue } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { openadrEvents as texts } from '../../texts/openadr-events.ts'
import type { MeaningOf } from './use-meanings.ts'

interface Step {
  from: number
  to: number
  price: number
}

/** The prices of one kind of one program, in order of time. They do not overlap. */
export interface Prices {
  key: string
  name: string
  unit: string | undefined
  steps: readonly Step[]
}

/** Collects the prices in events. Of two for the same time, that of the event that changed last counts. */
export function pricesOf(events: readonly OpenadrEvent[], meaningOf: MeaningOf): Prices[] {
  const found = new Map<string, Omit<Prices, 'steps'> & { steps: (Step & { changedAt: string })[] }>()
  for (const { programId, programName, changedAt, deletedAt, intervals } of events) {
    if (deletedAt !== null) continue
    for (const { from, to, payloads } of intervals) {
      if (from === null || to === null) continue
      for (const { type, unit, values } of payloads) {
        const price = Number(values[0] ?? Number.NaN)
        if (!Number.isFinite(price) || meaningOf(programId, type) !== 'price') continue
        const key = JSON.stringify([programId, type, unit])
        const name =
          unit === null
            ? format(texts.price, { program: programName, type })
            : format(texts.priceIn, { program: programName, type, unit })
        const known = found.get(key) ?? { key, name, unit: unit ?? undefined, steps: [] }
        known.steps.push({ from: Date.parse(from), to: Date.parse(to), price, changedAt })
        found.set(key, known)
      }
    }
  }
  return [...found.values()].map(({ steps, ...rest }) => ({ ...rest, steps: withoutOverlaps(steps) }))
}

/** Ends each step where the next one begins. */
function withoutOverlaps(steps: readonly (Step & { changedAt: string })[]): Step[] {
  const newest = new Map<number, Step & { changedAt: string }>()
  for (const step of steps) {
    const known = newest.get(step.from)
    if (!known || known.changedAt <= step.changedAt) newest.set(step.from, step)
  }
  const inOrder = [...newest.values()].toSorted((a, b) => a.from - b.from)
  return inOrder.map(({ from, to, price }, place) => ({
    from,
    to: Math.min(to, inOrder[place + 1]?.from ?? to),
    price,
  }))
}

/** Returns the steps of prices as a line of a chart, with a gap where nothing is known. */
export function priceLine({ key, unit, steps }: Prices, color: number): PlotLine {
  const at: number[] = []
  const price: (number | null)[] = []
  for (const [place, step] of steps.entries()) {
    at.push(step.from / 1000)
    price.push(step.price)
    if (steps[place + 1]?.from === step.to) continue
    // The last value of a run lasts to its end.
    at.push(step.to / 1000 - 1, step.to / 1000)
    price.push(step.price, null)
  }
  const none = at.map(() => null)
  return { key, color, unit, isStepped: true, data: [at, price, none, none], compared: undefined }
}

/** Says how high prices are, and what one is now: `0.08 to 0.31 · now 0.21`. */
export function describePrices({ steps, unit }: Prices, now: number): { range: string; now: string | undefined } {
  const all = steps.map(({ price }) => price)
  const current = steps.find(({ from, to }) => from <= now && now < to)
  const range = format(texts.priceRange, {
    least: shownValue(Math.min(...all)),
    most: shownValue(Math.max(...all), unit),
  })
  return { range, now: current && format(texts.priceNow, { price: shownValue(current.price, unit) }) }
}
