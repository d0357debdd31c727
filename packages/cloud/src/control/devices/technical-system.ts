import { isDeepStrictEqual } from 'node:util'
import { derivedId } from '@plantroom/base/ids'
import {
  type CommissionedDatapoint,
  type CommissionedPeakShaving,
  type CommissionedPowerLimit,
  type CommissionedSchedule,
  type CommissionedStorage,
  type CommissioningFile,
  datapointsByReference,
  failsafeOf,
  INPUT_DEFAULTS,
  inputLimitKw,
  kwPerUnit,
  STORAGE_DEFAULTS,
} from '@plantroom/contract/commissioning'
import {
  type Datapoint,
  type Failsafe,
  IDENTITY_SCALER,
  type LoadStorage,
  NO_ENVELOPE,
  type PeakShaving,
  type PowerLimitSettings,
  type Schedule,
  type TechnicalSystem,
  WEEKDAYS,
} from '@plantroom/contract/datapoint'
import { type AssignedIds, assignIds } from './assign-ids.ts'

export const MIN_CYCLE_SECONDS = 10

/** Builds a technical system from a valid commissioning file. Unchanged datapoints keep their timestamps. Pure. */
export function buildTechnicalSystem(
  file: CommissioningFile,
  on: { deviceId: string; timeZone: string; before: TechnicalSystem | undefined; now: string },
): TechnicalSystem {
  const { deviceId, timeZone, before, now } = on
  const ids = assignIds(file, on)
  const known = new Map(
    before?.connections.flatMap((connection) => connection.datapoints.map((datapoint) => [datapoint.id, datapoint])),
  )
  const scheduleId = (schedule: string) => derivedId('sch', deviceId, file.technicalSystem, schedule)
  const control = buildControl(file, { ofDatapoint: ids.ofDatapoint, scheduleId })
  const scheduleOf = new Map(control.schedules.map((schedule) => [schedule.datapointId, schedule.id]))
  return {
    id: systemIdOf(deviceId, file.technicalSystem),
    name: file.technicalSystem,
    timeZone,
    connections: file.connections.map((connection) => {
      const connectionId = ids.ofConnection(connection)
      return {
        id: connectionId,
        name: connection.name,
        protocol: connection.protocol,
        settings: connection.settings,
        datapoints: connection.datapoints.map((commissioned) => {
          const id = ids.ofDatapoint(commissioned)
          const cloudScheduleId = scheduleOf.get(id) ?? null
          return stamp(toDatapoint({ id, connectionId, cloudScheduleId }, commissioned), known.get(id), now)
        }),
      }
    }),
    ...control,
  }
}

/** Returns the id of a technical system of a device by its name. */
export const systemIdOf = (deviceId: string, name: string) => derivedId('sys', deviceId, name)

type Unstamped = Omit<Datapoint, 'createdAt' | 'updatedAt'>

function toDatapoint(
  ids: Pick<Datapoint, 'id' | 'connectionId' | 'cloudScheduleId'>,
  commissioned: CommissionedDatapoint,
): Unstamped {
  const { analyticsCalculateConsumption, unit, kind, tags } = commissioned
  const writable = {
    writeInputType: commissioned.writeInputType ?? 'number',
    writeInputData: commissioned.writeInputData ?? NO_ENVELOPE,
    ...(commissioned.releaseValue !== undefined && { releaseValue: commissioned.releaseValue }),
    ...(commissioned.limits && { limits: commissioned.limits }),
    analyticsCalculateConsumption: analyticsCalculateConsumption ?? false,
  }
  const readOnly = analyticsCalculateConsumption === undefined ? {} : { analyticsCalculateConsumption }
  return {
    id: ids.id,
    connectionId: ids.connectionId,
    name: commissioned.name,
    accessType: commissioned.accessType,
    ...(unit !== undefined && { unit }),
    ...(kind !== undefined && { kind }),
    ...(tags && tags.length > 0 && { tags }),
    ...(commissioned.accessType === 'READ' ? readOnly : writable),
    analyticsInterval: commissioned.analyticsInterval ?? 0,
    broadcastInterval: commissioned.broadcastInterval ?? 0,
    writeInterval: commissioned.writeInterval ?? 0,
    cloudScheduleId: ids.cloudScheduleId,
    scaler: commissioned.scaler ?? IDENTITY_SCALER,
    alarmData: null,
    data: commissioned.data,
  }
}

function stamp(datapoint: Unstamped, before: Datapoint | undefined, now: string): Datapoint {
  if (!before) return { ...datapoint, createdAt: now, updatedAt: now }
  const { createdAt, updatedAt, ...old } = before
  // Compared in its stored form: JSON has no -0, so an offset of -0 would count as a change every time.
  const unchanged = isDeepStrictEqual(old, JSON.parse(JSON.stringify(datapoint)))
  return { ...datapoint, createdAt, updatedAt: unchanged ? updatedAt : now }
}

interface Ids extends Pick<AssignedIds, 'ofDatapoint'> {
  scheduleId(schedule: string): string
}

/** Builds the parts that write datapoints, with ids in place of names. */
function buildControl(
  file: CommissioningFile,
  ids: Ids,
): Pick<TechnicalSystem, 'powerLimit'> & {
  peakShaving: PeakShaving | null
  schedules: Schedule[]
  failsafes: Failsafe[]
} {
  const find = datapointsByReference(file)
  const resolve = (reference: string): { id: string; datapoint: CommissionedDatapoint } => {
    const [found] = find(reference)
    if (!found) throw new Error(`the file has no datapoint "${reference}"`)
    return { id: ids.ofDatapoint(found.datapoint), datapoint: found.datapoint }
  }
  const idOf = (reference: string) => resolve(reference).id
  return {
    peakShaving: file.peakShaving ? toPeakShaving(file.peakShaving, idOf) : null,
    ...(file.powerLimit && { powerLimit: toPowerLimit(file.powerLimit, resolve) }),
    schedules: (file.schedules ?? []).map((schedule) => toSchedule(ids.scheduleId(schedule.name), schedule, idOf)),
    failsafes: failsafesOf(file, ids),
  }
}

function toPeakShaving(commissioned: CommissionedPeakShaving, idOf: (reference: string) => string): PeakShaving {
  return {
    meterId: idOf(commissioned.meter),
    limitKw: commissioned.limitKw ?? commissioned.hourlyLimitsKw ?? null,
    hysteresisKw: commissioned.hysteresisKw ?? 0,
    cycleSeconds: commissioned.cycleSeconds ?? MIN_CYCLE_SECONDS,
    loads: commissioned.loads.map(({ datapoint, priority, shedValue, minOnSeconds = 0, minOffSeconds = 0 }) => ({
      datapointId: idOf(datapoint),
      priority,
      shedValue,
      minOnSeconds,
      minOffSeconds,
    })),
  }
}

function toPowerLimit(
  commissioned: CommissionedPowerLimit,
  resolve: (reference: string) => { id: string; datapoint: CommissionedDatapoint },
): PowerLimitSettings {
  const { guaranteedKw, connectionKw, fallback, inputs } = commissioned
  const meter = resolve(commissioned.meter)
  return {
    meterId: meter.id,
    meterKwPerUnit: kwPerUnit(meter.datapoint) ?? 1,
    guaranteedKw,
    ...(connectionKw !== undefined && { connectionKw }),
    ...(fallback && { fallback }),
    loads: commissioned.loads.map((load) => {
      const { id: datapointId, datapoint } = resolve(load.datapoint)
      const {
        priority,
        minKw = 0,
        maxKw = 0,
        shedValue = 0,
        ratedKw = 0,
        minOnSeconds = 0,
        minOffSeconds = 0,
        storage,
      } = load
      return load.kind === 'modulating'
        ? {
            ...{ datapointId, kind: 'modulating', priority, minKw, maxKw, kwPerUnit: kwPerUnit(datapoint) ?? 1 },
            ...(storage && { storage: toStorage(storage, resolve(storage.charge).id) }),
          }
        : { datapointId, kind: 'switching', priority, shedValue, ratedKw, minOnSeconds, minOffSeconds }
    }),
    ...(inputs && {
      inputs: inputs.map(({ datapoint, ...input }) => ({
        ...INPUT_DEFAULTS,
        ...input,
        datapointId: resolve(datapoint).id,
        limitKw: inputLimitKw(input, commissioned) ?? 0,
      })),
    }),
  }
}

function toStorage({ charge: _, ...storage }: CommissionedStorage, chargeId: string): LoadStorage {
  return { ...STORAGE_DEFAULTS, ...storage, chargeId }
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
    connection.datapoints.flatMap((datapoint) => {
      const { failsafe } = datapoint
      const parsed = failsafe && failsafeOf(failsafe)
      const register = parsed && connection.datapoints.find((one) => one.name === parsed.register)
      if (!register) return []
      const [datapointId, registerId] = [ids.ofDatapoint(datapoint), ids.ofDatapoint(register)]
      return [{ datapointId, kind: parsed.kind, registerId, seconds: failsafe.seconds }]
    }),
  )
}
