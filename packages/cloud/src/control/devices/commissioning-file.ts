import { isDeepStrictEqual } from 'node:util'
import {
  type CommissionedConnection,
  type CommissionedDatapoint,
  type CommissionedFailsafe,
  type CommissionedPeakShaving,
  type CommissionedPowerLimit,
  type CommissionedStorage,
  type CommissioningFile,
  datapointsByReference,
  INPUT_DEFAULTS,
  STORAGE_DEFAULTS,
} from '@plantroom/contract/commissioning'
import {
  type Connection,
  type Datapoint,
  IDENTITY_SCALER,
  isBounded,
  type LoadStorage,
  type PeakShaving,
  type PowerLimitSettings,
  type TechnicalSystem,
} from '@plantroom/contract/datapoint'
import { MIN_CYCLE_SECONDS } from './technical-system.ts'

/** Returns the commissioning file of a system, made from `templates`. Loading it again changes nothing. Pure. */
export function commissioningFileOf(system: TechnicalSystem, templates: readonly string[] = []): CommissioningFile {
  const { peakShaving, powerLimit, schedules = [] } = system
  const connections = system.connections.map(writeConnection(failsafesOf(system)))
  const { name: technicalSystem } = system
  const referTo = references({ technicalSystem, connections }, system)
  return {
    technicalSystem,
    ...(templates.length > 0 && { templates: [...templates] }),
    connections,
    ...(peakShaving && { peakShaving: writePeakShaving(peakShaving, referTo) }),
    ...(powerLimit && { powerLimit: writePowerLimit(powerLimit, referTo) }),
    ...(schedules.length > 0 && {
      schedules: schedules.map(({ name, datapointId, slots }) => ({ name, datapoint: referTo(datapointId), slots })),
    }),
  }
}

type ReferTo = (datapointId: string) => string

/** Refers to datapoints by name, or by `connection/name` where the name alone is ambiguous. */
function references(file: CommissioningFile, { connections }: TechnicalSystem): ReferTo {
  const find = datapointsByReference(file)
  const names = new Map(
    connections.flatMap(({ name, datapoints }) =>
      datapoints.map((datapoint) => [datapoint.id, [name, datapoint.name]]),
    ),
  )
  return (datapointId) => {
    const [connection, datapoint] = names.get(datapointId) ?? []
    if (connection === undefined || datapoint === undefined)
      throw new Error(`the system has no datapoint ${datapointId}`)
    return find(datapoint).length === 1 ? datapoint : `${connection}/${datapoint}`
  }
}

function failsafesOf({ connections, failsafes = [] }: TechnicalSystem): ReadonlyMap<string, CommissionedFailsafe> {
  const names = new Map(connections.flatMap(({ datapoints }) => datapoints.map(({ id, name }) => [id, name])))
  return new Map(
    failsafes.map(({ datapointId, kind, registerId, seconds }) => {
      const register = names.get(registerId)
      if (register === undefined) throw new Error(`the system has no datapoint ${registerId}`)
      return [datapointId, { [kind]: register, seconds }]
    }),
  )
}

function writeConnection(failsafes: ReadonlyMap<string, CommissionedFailsafe>) {
  return ({ name, protocol, settings, datapoints }: Connection): CommissionedConnection => ({
    name,
    protocol,
    settings,
    datapoints: datapoints.map((datapoint) => writeDatapoint(datapoint, failsafes.get(datapoint.id))),
  })
}

/** Omits settings that have their default value. */
function writeDatapoint(datapoint: Datapoint, failsafe: CommissionedFailsafe | undefined): CommissionedDatapoint {
  const { name, accessType, unit, kind, tags, writeInputData, releaseValue, limits, scaler, data } = datapoint
  const { analyticsCalculateConsumption } = datapoint
  const { analyticsInterval, broadcastInterval, writeInterval } = datapoint
  const isWritable = accessType !== 'READ'
  // A read-only datapoint may lack this setting, which differs from false.
  const saysConsumption = isWritable ? analyticsCalculateConsumption : analyticsCalculateConsumption !== undefined
  return {
    name,
    accessType,
    ...(unit !== undefined && { unit }),
    ...(kind !== undefined && { kind }),
    ...(tags && { tags }),
    ...(isWritable && isBounded(writeInputData) && { writeInputType: 'number', writeInputData }),
    ...(releaseValue !== undefined && { releaseValue }),
    ...(limits && { limits }),
    ...(analyticsInterval !== 0 && { analyticsInterval }),
    ...(saysConsumption && { analyticsCalculateConsumption: analyticsCalculateConsumption === true }),
    ...(broadcastInterval !== 0 && { broadcastInterval }),
    ...(writeInterval !== 0 && { writeInterval }),
    ...(!isDeepStrictEqual(scaler, IDENTITY_SCALER) && { scaler }),
    ...(failsafe && { failsafe }),
    data,
  }
}

function writePeakShaving(shaving: PeakShaving, referTo: ReferTo): CommissionedPeakShaving {
  const { meterId, limitKw, hysteresisKw, cycleSeconds, loads } = shaving
  return {
    meter: referTo(meterId),
    ...(typeof limitKw === 'number' && { limitKw }),
    ...(typeof limitKw === 'object' && limitKw !== null && { hourlyLimitsKw: limitKw }),
    ...(hysteresisKw !== 0 && { hysteresisKw }),
    ...(cycleSeconds !== MIN_CYCLE_SECONDS && { cycleSeconds }),
    loads: loads.map(({ datapointId, priority, shedValue, ...times }) => ({
      datapoint: referTo(datapointId),
      priority,
      shedValue,
      ...withoutDefaults(times, NO_TIMES),
    })),
  }
}

function writePowerLimit(settings: PowerLimitSettings, referTo: ReferTo): CommissionedPowerLimit {
  const { meterId, guaranteedKw, connectionKw, fallback, loads, inputs } = settings
  return {
    meter: referTo(meterId),
    guaranteedKw,
    ...(connectionKw !== undefined && { connectionKw }),
    ...(fallback && { fallback }),
    loads: loads.map(({ datapointId, ...load }) => {
      const datapoint = referTo(datapointId)
      if (load.kind === 'switching') return { datapoint, ...withoutDefaults(load, NO_TIMES) }
      const { kwPerUnit: _kwPerUnit, storage, ...rest } = load
      return { datapoint, ...rest, ...(storage && { storage: writeStorage(storage, referTo) }) }
    }),
    ...(inputs && {
      inputs: inputs.map(({ datapointId, limitKw, ...input }) => ({
        datapoint: referTo(datapointId),
        ...(input.limitPercent === undefined && { limitKw }),
        ...withoutDefaults(input, INPUT_DEFAULTS),
      })),
    }),
  }
}

function writeStorage({ chargeId, ...storage }: LoadStorage, referTo: ReferTo): CommissionedStorage {
  const { capacityKwh, lowestPercent, ...others } = storage
  return { charge: referTo(chargeId), capacityKwh, lowestPercent, ...withoutDefaults(others, STORAGE_DEFAULTS) }
}

const NO_TIMES = { minOnSeconds: 0, minOffSeconds: 0 }

/** Leaves out the fields that have their default value. */
function withoutDefaults<Fields extends object, Defaults extends Partial<Fields>>(fields: Fields, defaults: Defaults) {
  const kept = Object.entries(fields).filter(
    ([name, value]) => (defaults as Partial<Record<string, unknown>>)[name] !== value,
  )
  return Object.fromEntries(kept) as Omit<Fields, keyof Defaults> & Partial<Fields>
}
