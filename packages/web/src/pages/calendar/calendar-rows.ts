import type { Device } from '@plantroom/contract/api'
import type { LiveDevice } from '@plantroom/contract/control-state'
import type { Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import type { ReportEntry } from '@plantroom/contract/reports'
import type { CalendarPeriod } from '../../parts/calendar-time.ts'
import { createSlotSpans, type SlotSpan } from '../../parts/slot-spans.ts'

type LiveOverride = LiveDevice['overrides'][number]
export type CalendarState = LiveOverride['state'] | 'ended'

/** An override in the calendar, from the controller or, once it has ended, from the audit. */
export interface CalendarOverride {
  key: string
  deviceId: string
  datapointId: string
  /** Where it can be ended. */
  id: string | null
  state: CalendarState
  value: number | string | null
  start: number
  end: number
  placedByName: string | null
  reason: string | null
  /** Overlapping overrides of one datapoint are stacked. */
  lane: number
}

export interface CalendarRow {
  device: Pick<Device, 'id' | 'name'>
  datapointId: string
  name: string
  unit: string | undefined
  slots: SlotSpan[]
  overrides: CalendarOverride[]
  lanes: number
}

/** What is known of a controller. */
export interface CalendarSource {
  device: Pick<Device, 'id' | 'name'>
  systems: readonly TechnicalSystem[]
  live: readonly LiveOverride[]
}

/** Builds a row for each datapoint with a schedule or an override in the period. Pure. */
export function calendarRows(
  sources: readonly CalendarSource[],
  reports: readonly ReportEntry[],
  { period, timeZone, now }: { period: CalendarPeriod; timeZone: string; now: number },
): CalendarRow[] {
  const spansOf = createSlotSpans(period, timeZone)
  const isShown = ({ start, end }: { start: number; end: number }) => start < period.end && end > period.start
  return sources.flatMap(({ device, systems, live }) => {
    const all = [...liveOverrides(device.id, live), ...pastOverrides(device.id, reports, live, now)].filter(isShown)
    const byDatapoint = Map.groupBy(all, ({ datapointId }) => datapointId)
    const schedules = systems.flatMap((system) => system.schedules ?? [])
    const slotsOf = new Map(schedules.map(({ datapointId, slots }) => [datapointId, spansOf(slots)]))
    const datapoints = new Map(
      systems.flatMap(({ connections }) =>
        connections.flatMap((connection) => connection.datapoints.map((datapoint) => [datapoint.id, datapoint])),
      ),
    )
    const shown = [...new Set([...datapoints.keys(), ...byDatapoint.keys()])].filter(
      (id) => slotsOf.get(id)?.length || byDatapoint.has(id),
    )
    return shown.map((datapointId) =>
      rowOf(device, datapointId, {
        datapoint: datapoints.get(datapointId),
        slots: slotsOf.get(datapointId) ?? [],
        overrides: byDatapoint.get(datapointId) ?? [],
      }),
    )
  })
}

function rowOf(
  device: CalendarRow['device'],
  datapointId: string,
  of: { datapoint: Datapoint | undefined; slots: SlotSpan[]; overrides: CalendarOverride[] },
): CalendarRow {
  const laneEnds: number[] = []
  const overrides = of.overrides
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map((override) => {
      const free = laneEnds.findIndex((end) => end <= override.start)
      const lane = free === -1 ? laneEnds.length : free
      laneEnds[lane] = override.end
      return { ...override, lane }
    })
  const { name = datapointId, unit } = of.datapoint ?? {}
  return { device, datapointId, name, unit, slots: of.slots, overrides, lanes: laneEnds.length }
}

function liveOverrides(deviceId: string, live: readonly LiveOverride[]): CalendarOverride[] {
  return live.map((override, index) => ({
    key: `live ${override.id ?? index}`,
    deviceId,
    datapointId: override.datapointId,
    id: override.id,
    state: override.state,
    value: override.value,
    start: Date.parse(override.from),
    end: Date.parse(override.to),
    placedByName: override.placedByName,
    reason: null,
    lane: 0,
  }))
}

/** Pairs the audit entries of overrides that have ended. Those that the controller still lists come from it. */
function pastOverrides(
  deviceId: string,
  reports: readonly ReportEntry[],
  live: readonly LiveOverride[],
  now: number,
): CalendarOverride[] {
  const own = reports.filter((entry) => entry.deviceId === deviceId && entry.overrideId !== null)
  return Array.from(
    Map.groupBy(own, ({ overrideId }) => overrideId),
    ([overrideId, entries]): CalendarOverride[] => {
      const applied = entries.find(({ phase }) => phase === 'applied')
      const released = entries.find(({ phase }) => phase === 'released')
      if (!applied) return []
      const { datapointId } = applied
      // People who do not manage the site get no ids of overrides that others placed.
      const isLive = live.some(({ id, state, ...each }) =>
        id === null ? !released && state === 'active' && each.datapointId === datapointId : id === overrideId,
      )
      if (isLive) return []
      return [
        {
          key: `past ${overrideId}`,
          deviceId,
          datapointId,
          id: null,
          value: applied.value,
          lane: 0,
          state: released ? 'ended' : 'active',
          start: Date.parse(applied.at),
          end: released ? Date.parse(released.at) : now,
          placedByName: applied.placedBy?.name ?? null,
          reason: applied.placedBy?.reason ?? null,
        },
      ]
    },
  ).flat()
}
