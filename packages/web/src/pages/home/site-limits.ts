import type { SiteLimit } from '@plantroom/contract/portfolio'
import { DIRECTIONS, type Direction, type LimitState } from '@plantroom/contract/power-limit'

const SEVERITY: Readonly<Record<LimitState, number>> = { unlimited: 0, limited: 1, fallback: 2, exhausted: 3 }

/** Sorts the limits of a site: first what needs a person most, then the strictest. */
export const worstFirst = (limits: readonly SiteLimit[]): SiteLimit[] =>
  limits.toSorted((a, b) => SEVERITY[b.state] - SEVERITY[a.state] || strictest(a) - strictest(b))

const strictest = (limit: SiteLimit) => Math.min(...ceilingsOf(limit).map(({ kw }) => kw))

/** Returns what may be drawn and fed in at most, where it is limited. */
export const ceilingsOf = ({ importKw, exportKw }: SiteLimit): { direction: Direction; kw: number }[] =>
  DIRECTIONS.flatMap((direction) => {
    const kw = direction === 'import' ? importKw : exportKw
    return kw === null ? [] : [{ direction, kw }]
  })
