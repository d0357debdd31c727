import { mainMeasurements, sitePower } from '@plantroom/contract/main-measurements'
import type { DeviceSystems } from '../../api/use-devices.ts'
import { browserStorage } from '../../browser-storage.ts'
import { type ChartSource, sourceKey, sourcesOf } from '../../parts/chart/sources.ts'

/** More lines than this are for a person to choose. */
const MOST = 4

/**
 * Chooses what a chart begins with: what is held, else what was looked at last, else the power and the main measurements,
 * else the first archived datapoints. Returns keys of datapoints. Pure.
 */
export function firstChoice(
  devices: readonly DeviceSystems[],
  { held, viewed }: { held: readonly string[]; viewed: readonly string[] },
): string[] {
  const sources = sourcesOf(devices)
  const known = new Set(sources.map(sourceKey))
  const systems = devices.flatMap((device) => device.systems ?? [])
  const main = new Set([...sitePower(systems), ...mainMeasurements(systems)].map(({ id }) => id))
  const archived = sources.filter(({ interval }) => interval !== 0)
  const keys = (of: readonly ChartSource[]) => of.map(sourceKey)
  const choices = [held, viewed, keys(archived.filter(({ datapointId }) => main.has(datapointId))), keys(archived)]
  const chosen = choices.map((each) => each.filter((key) => known.has(key))).find(({ length }) => length > 0)
  return chosen?.slice(0, MOST) ?? []
}

const storageKey = (siteId: string) => `plantroom-charts ${siteId}`

/** Keeps what a person looks at, in this browser. */
export function keepViewed(siteId: string, keys: readonly string[]): void {
  try {
    browserStorage()?.setItem(storageKey(siteId), keys.join(' '))
  } catch {
    // A browser that keeps nothing begins with the main measurements.
  }
}

export const viewedLast = (siteId: string): string[] =>
  (browserStorage()?.getItem(storageKey(siteId)) ?? '').split(' ').filter(Boolean)
