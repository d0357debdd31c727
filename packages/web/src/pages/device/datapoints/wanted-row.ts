import { useEffect, useSyncExternalStore } from 'react'
import { datapointHash } from '../../../parts/link-to-datapoint.ts'

/** The id of the element that shows a datapoint, which is also the end of an address that leads to it. */
export const rowId = (datapointId: string) => datapointHash(datapointId).slice(1)

function follow(changed: () => void): () => void {
  const events = ['hashchange', 'popstate', 'pushState', 'replaceState']
  for (const name of events) window.addEventListener(name, changed)
  return () => {
    for (const name of events) window.removeEventListener(name, changed)
  }
}

/** Returns the datapoint that the address names; `undefined` when it names none. */
export function useWantedDatapoint(): string | undefined {
  const hash = useSyncExternalStore(follow, () => window.location.hash)
  return datapointOf(hash)
}

export function datapointOf(hash: string): string | undefined {
  const start = datapointHash('')
  if (!hash.startsWith(start)) return undefined
  try {
    return decodeURIComponent(hash.slice(start.length))
  } catch {
    return undefined
  }
}

/** Scrolls to the row of a datapoint and focuses it, once for each address, as soon as the page has settled. */
export function useScrollToRow(datapointId: string | undefined, isSettled: boolean): void {
  useEffect(() => {
    if (datapointId === undefined || !isSettled) return
    const row = document.getElementById(rowId(datapointId))
    row?.scrollIntoView({ block: 'start' })
    row?.focus({ preventScroll: true })
  }, [datapointId, isSettled])
}
