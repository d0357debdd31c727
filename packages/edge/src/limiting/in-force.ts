import type { PowerLimitSettings } from '@plantroom/contract/datapoint'
import type { AveragingSeconds, Direction, StrictestLimit } from '@plantroom/contract/power-limit'
import { allowedUntilEnd, MOST, quarterEnd } from '../optimisation/ceiling.ts'
import type { Ceiling } from '../optimisation/regulator-state.ts'
import type { PowerLimit } from '../store/power-limit-store.ts'
import type { Part } from './proof.ts'

/** A ceiling that counts now, wherever it comes from. */
export interface InForce {
  kw: number
  averagingSeconds: AveragingSeconds
  /** Wall time; infinite for a contact and for the fallback. */
  until: number
  /** The placed limit behind it. */
  limit: PowerLimit | undefined
  isFallback?: true
}

/** Returns every ceiling that counts now, the strictest first. */
export function inForce(
  direction: Direction,
  from: {
    settings: PowerLimitSettings
    /** The limits that count now. */
    limits: readonly PowerLimit[]
    /** The limits of closed contacts. */
    contactsKw: readonly number[]
    /** No source has spoken since the start. */
    isSilent: boolean
  },
): InForce[] {
  const { settings, limits, contactsKw, isSilent } = from
  const { guaranteedKw, fallback } = settings
  const placed = limits.filter((limit) => limit.direction === direction)
  const standing = { averagingSeconds: 0, until: Number.POSITIVE_INFINITY } as const
  const silentKw = isSilent ? (direction === 'import' ? fallback?.importKw : fallback?.exportKw) : undefined
  const all: InForce[] = [
    ...placed.map((limit) => ({ kw: limit.kw, averagingSeconds: limit.averagingSeconds, until: limit.to, limit })),
    ...(direction === 'import' ? contactsKw.map((kw) => ({ ...standing, kw, limit: undefined })) : []),
    ...(silentKw === undefined ? [] : [{ ...standing, kw: silentKw, limit: undefined, isFallback: true as const }]),
  ]
  // What the site is guaranteed counts before any of them.
  const least = direction === 'import' ? guaranteedKw : 0
  return all.map((one) => ({ ...one, kw: Math.max(one.kw, least) })).toSorted((a, b) => a.kw - b.kw)
}

/** Returns the strictest limit that counts now. `commissionedKw` is the limit of peak shaving, which keeps it by other means. */
export function strictestOf(
  [first]: readonly InForce[],
  commissionedKw: number | undefined,
): StrictestLimit | undefined {
  if (first && first.kw <= (commissionedKw ?? Number.POSITIVE_INFINITY)) {
    const source = first.limit ? 'placed' : first.isFallback ? 'fallback' : 'contact'
    return { source, kw: first.kw, limitId: first.limit?.id ?? null }
  }
  return commissionedKw === undefined ? undefined : { source: 'commissioned', kw: commissionedKw, limitId: null }
}

/** Identifies a ceiling, and the part of an interval that belongs to it. */
export const ceilingKey = ({ kw, limit, isFallback }: Pick<Part, 'kw' | 'limit' | 'isFallback'>) =>
  `${limit?.seq ?? (isFallback ? 'fallback' : 'contact')} ${kw}`

/** Returns what may flow, so that every ceiling is kept. */
export function ceilingOf(ceilings: readonly InForce[], parts: readonly Part[], now: number, leastKw: number): Ceiling {
  const partOf = new Map(parts.map((part) => [ceilingKey(part), part]))
  const least = (kw: (one: InForce) => number) => Math.max(leastKw, Math.min(...ceilings.map(kw)))
  const allowedKw = (one: InForce) => {
    const part = partOf.get(ceilingKey(one))
    return one.averagingSeconds === 0 || !part ? one.kw : allowedUntilEnd(one.kw, { ...part, now })
  }
  return {
    allowedKw: least(allowedKw),
    leftSeconds: ((parts[0]?.to ?? quarterEnd(now)) - now) / 1000,
    laterKw: least(({ kw }) => kw),
    peakKw: least(({ kw, averagingSeconds }) => (averagingSeconds === 0 ? kw : MOST * kw)),
  }
}
