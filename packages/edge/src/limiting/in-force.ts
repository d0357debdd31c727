import type { PowerLimitSettings } from '@plantroom/contract/datapoint'
import type { AveragingSeconds, Direction } from '@plantroom/contract/power-limit'
import type { PowerLimit } from '../store/power-limit-store.ts'
import type { OpenInterval } from '../telemetry/interval.ts'
import { allowedUntilEnd } from './ceiling.ts'

/** A ceiling that counts now, wherever it comes from. */
export interface InForce {
  kw: number
  averagingSeconds: AveragingSeconds
  /** Wall time; infinite for a contact and for the fallback. */
  until: number
  /** The placed limit behind it. */
  limit?: PowerLimit
  isFallback?: true
}

/** Returns every ceiling that counts now, the strictest first. */
export function inForce(
  direction: Direction,
  from: {
    settings: PowerLimitSettings
    limits: readonly PowerLimit[]
    /** The limits of closed contacts. */
    contactsKw: readonly number[]
    /** No source has spoken since the start. */
    isSilent: boolean
    now: number
  },
): InForce[] {
  const { settings, limits, contactsKw, isSilent, now } = from
  const { guaranteedKw, fallback } = settings
  const placed = limits.filter((limit) => limit.direction === direction && limit.from <= now && now < limit.to)
  const standing = { averagingSeconds: 0, until: Number.POSITIVE_INFINITY } as const
  const silentKw = isSilent ? (direction === 'import' ? fallback?.importKw : fallback?.exportKw) : undefined
  const all: InForce[] = [
    ...placed.map((limit) => ({ kw: limit.kw, averagingSeconds: limit.averagingSeconds, until: limit.to, limit })),
    ...(direction === 'import' ? contactsKw.map((kw) => ({ ...standing, kw })) : []),
    ...(silentKw === undefined ? [] : [{ ...standing, kw: silentKw, isFallback: true as const }]),
  ]
  // What the site is guaranteed counts before any of them.
  const least = direction === 'import' ? guaranteedKw : 0
  return all.map((one) => ({ ...one, kw: Math.max(one.kw, least) })).toSorted((a, b) => a.kw - b.kw)
}

/** Returns what may flow until the interval ends, so that every ceiling is kept. */
export function allowedNow(
  ceilings: readonly InForce[],
  at: { interval: OpenInterval; to: number; now: number },
  leastKw: number,
): number {
  const each = ceilings.map(({ kw, averagingSeconds }) => (averagingSeconds === 0 ? kw : allowedUntilEnd(kw, at)))
  return Math.max(leastKw, Math.min(...each))
}
