import { addressing } from '@plantroom/openadr/addressing'
import { baselinePayload, baselines } from '@plantroom/openadr/baselines'
import type { KnownEvent } from '@plantroom/openadr/known-event'
import { unitsOf } from '@plantroom/openadr/units'
import type { StoredProgram } from './program-store.ts'
import { eventMapping, profileOf } from './read-program.ts'
import type { BaselineQuestion } from './report-data.ts'

/**
 * Returns a lookup of the power that resources together would have had without an event: the baselines in force, as limits are
 * made from them. One that the VTN published for a group counts once, and for none of its members alone. Pure.
 *
 * `events` are those that were known when the reported time ended: a baseline that came later was never in force.
 */
export function baselineKwFrom(events: readonly KnownEvent[], eventId: string, program: StoredProgram) {
  const { settings, found } = program
  const profile = profileOf(settings)
  const about = events.find(({ event }) => event.id === eventId)
  const payload = baselinePayload(about?.event ?? { intervals: [] }, profile)
  const addressed = addressing(eventMapping(settings.mapping), {
    venName: settings.venName,
    venTargets: found.venTargets ?? [],
    resources: found.resources ?? [],
  })
  const baselineOf = baselines(events, { profile, addressed, units: unitsOf(found.programs ?? []) })
  return ({ resourceNames, from }: BaselineQuestion): number | undefined => {
    const inForce = resourceNames.map((name) => baselineOf(payload ?? '', name, from))
    const known = inForce.filter((one) => one !== undefined)
    const isWhole = known.every((one) => one.resourceNames.every((name) => resourceNames.includes(name)))
    if (known.length < resourceNames.length || !isWhole) return undefined
    const each = new Map(known.map(({ eventId, kw }) => [eventId, kw]))
    return [...each.values()].reduce((sum, kw) => sum + kw, 0)
  }
}
