import type { OpenadrEvent, OpenadrPlacement, PlacementState } from '@plantroom/contract/openadr'
import type { TimelineItem } from '../../parts/timeline/timeline-layout.ts'
import { format } from '../../texts/format.ts'
import { openadrEvents as texts } from '../../texts/openadr-events.ts'
import { isShownOnly, placedValue, type SiteNames, targetName } from './describe-event.ts'
import type { MeaningOf } from './use-meanings.ts'

const LOOKS: Readonly<Record<PlacementState, TimelineItem['look']>> = {
  placing: 'queued',
  queued: 'queued',
  active: 'active',
  ended: 'superseded',
  released: 'superseded',
  refused: 'failed',
  offline: 'failed',
}

/** What events ask for over time: a row for each target, and one for each payload that could not be followed. */
export interface EventTimeline {
  items: readonly TimelineItem[]
  /** The names of the rows. */
  names: ReadonlyMap<string, string>
}

/** Arranges events on a timeline. Prices and information have no bars. */
export function timelineOf(events: readonly OpenadrEvent[], sites: SiteNames, meaningOf: MeaningOf): EventTimeline {
  const names = new Map<string, string>()
  const items = events.flatMap((event) => {
    if (event.placements.length === 0) return isShownOnly(event, meaningOf) ? [] : unfollowed(event, names)
    return event.placements.map((placement) => {
      const row = rowOf(event, placement)
      if (!names.has(row) || placement.outcomes.length > 0) {
        const target = targetName(placement, sites)
        names.set(row, format(texts.rowOf, { target, resource: placement.resourceName }))
      }
      const { id, from, to, state } = placement
      return { key: `${event.id} ${id}`, row, from, to, label: placedValue(placement), look: LOOKS[state] }
    })
  })
  return { items, names }
}

const rowOf = ({ programId }: OpenadrEvent, { resourceName, siteId, datapointId, direction }: OpenadrPlacement) =>
  JSON.stringify([programId, resourceName, datapointId ?? siteId, direction])

/** What is asked for and not placed at all. */
function unfollowed({ id, programId, programName, intervals, from, to }: OpenadrEvent, names: Map<string, string>) {
  const shown = intervals.length > 0 ? intervals : [{ from, to, payloads: [] }]
  return shown.flatMap(({ from: begin, to: end, payloads }, place): TimelineItem[] => {
    if (begin === null || end === null) return []
    const types = payloads.map(({ type }) => type).join(', ')
    const row = JSON.stringify([programId, types])
    names.set(row, types === '' ? programName : format(texts.rowOf, { target: types, resource: programName }))
    const label = payloads.map(({ values }) => values.join(', ')).join(' · ')
    return [{ key: `${id} ${place}`, row, from: begin, to: end, label, look: 'failed' }]
  })
}
