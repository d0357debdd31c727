import type {
  CommissionedPeakShaving,
  CommissionedSchedule,
  CommissioningFile,
} from '@plantroom/contract/commissioning'
import { failsafeOf } from '@plantroom/contract/commissioning-failsafes'
import { datapointsByReference } from '@plantroom/contract/commissioning-names'
import { type Failsafe, type PeakShaving, type Schedule, WEEKDAYS } from '@plantroom/contract/datapoint'

export const SHORTEST_CYCLE_SECONDS = 10

/** How ids follow from names, in the system that is laid out. */
export interface Ids {
  datapointId(connection: string, datapoint: string): string
  scheduleId(schedule: string): string
}

/** What drives the datapoints of a commissioning file without problems, with ids for names. Pure. */
export function layOutControl(
  file: CommissioningFile,
  ids: Ids,
): { peakShaving: PeakShaving | null; schedules: Schedule[]; failsafes: Failsafe[] } {
  const find = datapointsByReference(file)
  const idOf = (reference: string): string => {
    const [placed] = find(reference)
    if (!placed) throw new Error(`"${reference}" is no datapoint of this file`)
    return ids.datapointId(placed.connection, placed.datapoint.name)
  }
  return {
    peakShaving: file.peakShaving ? toPeakShaving(file.peakShaving, idOf) : null,
    schedules: (file.schedules ?? []).map((schedule) => toSchedule(ids.scheduleId(schedule.name), schedule, idOf)),
    failsafes: failsafesOf(file, ids),
  }
}

function toPeakShaving(commissioned: CommissionedPeakShaving, idOf: (reference: string) => string): PeakShaving {
  return {
    meterId: idOf(commissioned.meter),
    limitKw: commissioned.limitKw ?? commissioned.hourlyLimitsKw ?? null,
    hysteresisKw: commissioned.hysteresisKw ?? 0,
    cycleSeconds: commissioned.cycleSeconds ?? SHORTEST_CYCLE_SECONDS,
    loads: commissioned.loads.map(({ datapoint, priority, shedValue, minOnSeconds = 0, minOffSeconds = 0 }) => ({
      datapointId: idOf(datapoint),
      priority,
      shedValue,
      minOnSeconds,
      minOffSeconds,
    })),
  }
}

function toSchedule(id: string, commissioned: CommissionedSchedule, idOf: (reference: string) => string): Schedule {
  return {
    id,
    name: commissioned.name,
    datapointId: idOf(commissioned.datapoint),
    slots: commissioned.slots.map(({ days, from, to, mode = 'absolute', value }) => ({
      days: WEEKDAYS.filter((day) => days.includes(day)),
      from,
      to,
      mode,
      value,
    })),
  }
}

function failsafesOf(file: CommissioningFile, ids: Ids): Failsafe[] {
  return file.connections.flatMap((connection) =>
    connection.datapoints.flatMap(({ name, failsafe }) => {
      const said = failsafe && failsafeOf(failsafe)
      if (!said) return []
      const idOf = (datapoint: string) => ids.datapointId(connection.name, datapoint)
      return [{ datapointId: idOf(name), kind: said.kind, registerId: idOf(said.register), seconds: failsafe.seconds }]
    }),
  )
}
