import type { PowerLimitSettings } from '@plantroom/contract/datapoint'
import { othersKw } from '../optimisation/draft.ts'
import { addToHighs, type HourHighs, highAt, NO_HIGHS } from '../optimisation/hour-highs.ts'
import type { TrustedReading } from '../optimisation/trusted-meter.ts'
import type { Moment } from '../overrides/timeline.ts'
import type { PowerLimitStore } from '../store/power-limit-store.ts'
import type { LimiterState } from './limiter-state.ts'
import { loadsSeen } from './loads.ts'

/** Loads that only move follow whatever happens. Those that switch need to know what may come. */
export const needsHighs = (settings: PowerLimitSettings) => settings.loads.some(({ kind }) => kind === 'switching')

/** Returns what the journal has of this meter. */
export function storedHighs(store: PowerLimitStore, meterId: string | undefined): HourHighs {
  const stored = store.highs()
  return stored && stored.meterId === meterId ? { ...NO_HIGHS, hours: stored.hours } : NO_HIGHS
}

/** Follows what the site draws without its loads, also while nothing is limited. The journal gets every hour that is over. */
export function learnHighs(
  state: LimiterState,
  about: { reading: TrustedReading | undefined; now: Moment; longestMs: number },
) {
  const { settings, highs, commits, store, sides } = state
  const { reading, now, longestMs } = about
  if (!settings || !needsHighs(settings) || reading?.isNew === false) return
  const loads = loadsSeen(state, settings.loads, { direction: 'import', others: sides.export.regulator.loads })
  const value = reading ? othersKw(loads, { states: sides.import.regulator.loads, kw: reading.kw }) : null
  const at = now.wall - (reading?.ageMs ?? 0)
  state.highs = addToHighs(highs, { at, value }, { timeZone: timeZoneOf(state), longestMs })
  const { meterId } = settings
  const [before, { hours }] = [highs.hours.at(-1), state.highs]
  if (before && hours.at(-1)?.from !== before.from) void commits.record((to) => store.putHighs(to, { meterId, hours }))
}

/** Returns the highest power of everything else at this hour; `undefined` while it is not known. */
export const highestNow = (state: LimiterState, now: Moment) => highAt(state.highs, now.wall, timeZoneOf(state))

/** The zone of the site's clock. */
export const timeZoneOf = ({ settings, connections }: LimiterState) =>
  (settings && connections.find(settings.meterId)?.timeZone) ?? 'UTC'
