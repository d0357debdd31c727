import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { SelectedDatapoint } from './datapoint-store.ts'

/** Watts in a unit. Letter case matters: mW is not MW. */
const WATTS: Readonly<Record<string, number>> = { W: 1, kW: 1_000, MW: 1_000_000 }
/** Beyond it, the envelope is the default one, or watts would no longer be whole numbers. */
const MOST_WATTS = 1e12

/** One datapoint with the most that it can contribute, in whole watts. */
interface Share {
  datapoint: SelectedDatapoint
  perUnit: number
  capacity: bigint
}

/**
 * Splits a total over datapoints in proportion to their commissioned capacity: the `max` of the envelope, or its `min`
 * where the total is below 0. Every share is a whole number of watts and at most the capacity; the watts that rounding
 * down leaves go to the largest remainders, one each. So the shares add up exactly to the total. Pure.
 */
export function splitTotal(totalKw: number, datapoints: readonly SelectedDatapoint[]): number[] {
  const total = wattsOf(totalKw)
  const isNegative = total < 0n
  const wanted = isNegative ? -total : total
  const shares = datapoints.map((datapoint) => shareOf(datapoint, isNegative))
  const capacity = shares.reduce((sum, share) => sum + share.capacity, 0n)
  if (wanted > capacity) {
    throw invalid(
      `a total of ${totalKw} kW exceeds the commissioned capacity of the ${datapoints.length} selected datapoints, ${kilowatts(isNegative ? -capacity : capacity)} kW: send less, or select more`,
    )
  }
  const watts = largestRemainders(wanted, capacity, shares)
  return shares.map(({ datapoint, perUnit }, index) => {
    const value = Number(isNegative ? -(watts[index] ?? 0n) : (watts[index] ?? 0n)) / perUnit
    requireInEnvelope(datapoint, value)
    // A share of nothing of a negative total.
    return value === 0 ? 0 : value
  })
}

function wattsOf(totalKw: number): bigint {
  const watts = Math.round(totalKw * 1_000)
  // Compared as a caller writes it: 0.3 kW is not exactly 300 W in binary.
  if (!(Math.abs(watts) <= MOST_WATTS) || watts / 1_000 !== totalKw) {
    throw invalid(`a total of ${totalKw} kW is not a whole number of watts below 1,000,000 MW: round it`)
  }
  return BigInt(watts)
}

function shareOf(datapoint: SelectedDatapoint, isNegative: boolean): Share {
  const { id, name, unit, min, max } = datapoint
  const perUnit = unit === null ? undefined : WATTS[unit]
  const named = `datapoint ${shown(id)} (${shown(name)})`
  if (perUnit === undefined) {
    throw invalid(
      `${named} has no power unit, so a total cannot be split: commission it with the unit W, kW or MW, or send a value`,
    )
  }
  const limit = isNegative ? -(min ?? 0) : (max ?? 0)
  const watts = limit * perUnit
  if (!(watts > 0 && watts <= MOST_WATTS)) {
    const bound = isNegative ? 'min below 0' : 'max above 0'
    throw invalid(
      `${named} has no capacity, so a total cannot be split: commission it with writeInputData and a ${bound}, or leave it out`,
    )
  }
  return { datapoint, perUnit, capacity: BigInt(wholeWatts(limit, perUnit)) }
}

/** The most whole watts that a share can have: what they are in the unit of the datapoint must not exceed the limit. */
function wholeWatts(limit: number, perUnit: number): number {
  const nearest = Math.round(limit * perUnit)
  return nearest / perUnit <= limit ? nearest : nearest - 1
}

function largestRemainders(wanted: bigint, capacity: bigint, shares: readonly Share[]): bigint[] {
  if (capacity === 0n) return shares.map(() => 0n)
  const watts = shares.map((share) => (wanted * share.capacity) / capacity)
  const left = Number(wanted - watts.reduce((sum, one) => sum + one, 0n))
  // A share with a remainder is below its capacity, and there are at least as many of these as watts left.
  const byRemainder = shares
    .map((share, index) => ({ index, remainder: (wanted * share.capacity) % capacity }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of byRemainder.slice(0, left)) watts[index] = (watts[index] ?? 0n) + 1n
  return watts
}

/** Equipment that cannot run below a minimum has no share below it. */
function requireInEnvelope({ id, name, min, max }: SelectedDatapoint, value: number): void {
  if ((min === null || value >= min) && (max === null || value <= max)) return
  throw invalid(
    `the share of datapoint ${shown(id)} (${shown(name)}) would be ${value}, outside its range ${min} to ${max}: select fewer datapoints, or send another total`,
  )
}

const kilowatts = (watts: bigint) => Number(watts) / 1_000
const invalid = (message: string) => new Failure('invalid', message, 'totalKw')
