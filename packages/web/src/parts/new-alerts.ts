import type { Alert } from '@plantroom/contract/alerts'

/** What a browser has seen of the open alerts of an organization. */
export interface SeenAlerts {
  ids: readonly string[]
  /** Alerts that opened before this time are not new, because the list was too long for them; empty for none. */
  newSince: string
}

/** The newest open alerts. */
export interface OpenAlerts {
  alerts: readonly Alert[]
  /** There are more than these. */
  hasMore: boolean
}

const MOST_KEPT = 500

/**
 * Adds what a list shows to what was seen before. An older list, from a tab that was slow, takes nothing away: an id is
 * never used twice.
 */
export function seen({ alerts, hasMore }: OpenAlerts, before: SeenAlerts | undefined): SeenAlerts {
  const ids = new Set([...alerts.map(({ id }) => id), ...(before?.ids ?? [])])
  const oldest = hasMore ? (alerts.map(({ openedAt }) => openedAt).toSorted()[0] ?? '') : ''
  const newSince = [oldest, before?.newSince ?? ''].toSorted().at(-1) ?? ''
  return { ids: [...ids].slice(0, MOST_KEPT), newSince }
}

/** The open alerts that were not there before. Nothing is new to a browser that looks for the first time. */
export function newAlerts(before: SeenAlerts | undefined, now: OpenAlerts): Alert[] {
  if (!before) return []
  const known = new Set(before.ids)
  // When one alert of a long list closes, an old one takes its place. It is not new.
  return now.alerts.filter(({ id, openedAt }) => !known.has(id) && openedAt >= before.newSince)
}
