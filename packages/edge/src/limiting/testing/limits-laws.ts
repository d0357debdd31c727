import { DIRECTIONS } from '@plantroom/contract/power-limit'
import type { ChainedEntry } from '@plantroom/contract/reports'
import { expect } from 'vitest'
import { QUARTER_MS } from '../../optimisation/ceiling.ts'
import type { Controller } from '../../testing/controller.ts'
import {
  GUARANTEED_KW,
  inForce,
  type LimitsWorld,
  modulatingId,
  siteKw,
  switchingId,
  timeOf,
  wantedOf,
} from './limits-world.ts'

/** Bounds are multiples of a thousandth of a load's range. */
export const TOLERANCE_KW = 0.2
/** How long a limit is at work before the registers must show it: readings, reactions, one load after the other. */
export const SETTLED_MS = 90_000

/** Checks registers and audit against the plain lists of the world. */
export function compare(world: LimitsWorld, device: Controller, settledMs: number): void {
  const limited = DIRECTIONS.filter((direction) => inForce(world, direction).length > 0)
  if (limited.length === 0) expectGivenBack(world, device)
  else if (settledMs >= SETTLED_MS) for (const direction of limited) expectKept(world, device, direction)
  expectAudited(world, device)
}

/** Without a limit, every load has what its writer wants, or what it had. A load that was switched off may wait. */
function expectGivenBack(world: LimitsWorld, device: Controller): void {
  const { modulating, switching } = world.loads
  const { monotonic } = timeOf(device)
  const register = (id: string) => device.equipment.points.get(id)
  modulating.forEach((_, index) => {
    const id = modulatingId(index)
    expect(register(id), `${id} without a limit`).toBe(wantedOf(world, id))
  })
  switching.forEach(({ minOffSeconds }, index) => {
    const id = switchingId(index)
    const mayWait = monotonic - world.lastLimited <= minOffSeconds * 1000 + 5_000
    const wanted = wantedOf(world, id)
    expect(mayWait ? [wanted, 0] : [wanted], `${id} without a limit`).toContain(register(id))
  })
}

/** While the meter is right, the site is below its ceiling, or everything that may be moved is moved. */
function expectKept(world: LimitsWorld, device: Controller, direction: 'import' | 'export'): void {
  const strict = inForce(world, direction).filter(({ averagingSeconds }) => averagingSeconds === 0)
  if (strict.length === 0 || world.frozenAt !== undefined) return
  const least = direction === 'import' ? GUARANTEED_KW : 0
  const ceiling = Math.max(least, Math.min(...strict.map(({ kw }) => kw)))
  const { modulating, switching } = world.loads
  const at = (id: string) => Number(device.equipment.points.get(id))
  if (world.isMeterLost) {
    if (direction === 'export') return
    const drawn = siteKw({ ...world, baseKw: 0 }, device)
    const least = modulating.reduce((sum, { minKw }) => sum + Math.max(0, minKw), 0)
    expect(drawn, 'what loads draw without a meter').toBeLessThanOrEqual(Math.max(ceiling, least) + TOLERANCE_KW)
    return
  }
  const kw = siteKw(world, device) * (direction === 'import' ? 1 : -1)
  if (kw <= ceiling + TOLERANCE_KW) return
  const about = `${kw} kW of ${direction} above ${ceiling} kW`
  // Of two limits that contradict each other, the one of the import counts.
  if (direction === 'export' && inForce(world, 'import').length > 0) return
  modulating.forEach(({ minKw, maxKw }, index) => {
    const left = direction === 'import' ? at(modulatingId(index)) - minKw : maxKw - at(modulatingId(index))
    expect(left, `what m${index} could still give, at ${about}`).toBeLessThanOrEqual(TOLERANCE_KW)
  })
  if (direction === 'export') return
  const running = switching.flatMap((_, index) => (at(switchingId(index)) === 0 ? [] : [switchingId(index)]))
  expect(running, `what still runs at ${about}`).toEqual([])
}

/** Each limit has one entry for its start and one for its end, and no interval is there twice. */
function expectAudited(world: LimitsWorld, device: Controller): void {
  if (!device.uplink) return
  expect(device.contradictions).toEqual([])
  const entries = device.reports.filter(({ datapointId }) => datapointId === 'meter')
  const phases = Map.groupBy(entries, ({ overrideId }) => overrideId)
  for (const { id, wasSeen, isOver } of world.limits) {
    const own = (phases.get(id) ?? []).map(({ phase }) => phase).filter((phase) => phase !== 'interval')
    const expected = wasSeen ? (isOver ? ['applied', 'released'] : ['applied']) : undefined
    if (expected) expect(own, `entries of ${id}`).toEqual(expected)
    else expect([[], ['released'], ['applied', 'released'], ['applied']], `entries of ${id}`).toContainEqual(own)
  }
  // Limits that overlap have intervals of their own.
  for (const own of phases.values()) expect(brokenIntervals(own, world.wasSetBack)).toEqual([])
}

/** Returns a sentence for every interval that overlaps another one, or is longer than its quarter of an hour. */
function brokenIntervals(entries: readonly ChainedEntry[], mayOverlap: boolean): string[] {
  const intervals = entries
    .flatMap(({ interval }) => interval ?? [])
    .map((interval) => ({ ...interval, start: Date.parse(interval.from), end: Date.parse(interval.to) }))
  return intervals.flatMap(({ start, end, coverage, from, to }, index) => {
    const broken: string[] = []
    if (start >= end) broken.push(`${from} to ${to} is empty`)
    if (Math.floor(start / QUARTER_MS) !== Math.floor((end - 1) / QUARTER_MS)) broken.push(`${from} to ${to} is long`)
    if (coverage < 0 || coverage > 100) broken.push(`${from} to ${to} covers ${coverage} percent`)
    const overlaps = !mayOverlap && intervals.slice(0, index).some((other) => start < other.end && other.start < end)
    if (overlaps) broken.push(`${from} to ${to} overlaps another interval`)
    return broken
  })
}
