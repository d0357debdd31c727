import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { format } from '../../texts/format.ts'
import { reports as texts } from '../../texts/reports.ts'
import type { ReportPageFilters } from './report-filters.ts'

interface NamedDatapoint {
  id: string
  name: string
  unit: string | undefined
  connection: string
  systemId: string
  deviceId: string
}

/** The current names behind the ids of audit entries. */
export interface ReportNames {
  devices: ReadonlyMap<string, string>
  systems: ReadonlyMap<string, { name: string; deviceId: string }>
  datapoints: ReadonlyMap<string, NamedDatapoint>
}

/** Indexes the names of controllers; `systems` may not be loaded yet. */
export function namesOf(
  devices: readonly { id: string; name: string; systems: readonly TechnicalSystem[] | undefined }[],
): ReportNames {
  const systems = new Map<string, { name: string; deviceId: string }>()
  const datapoints = new Map<string, NamedDatapoint>()
  for (const device of devices) {
    for (const system of device.systems ?? []) {
      systems.set(system.id, { name: system.name, deviceId: device.id })
      for (const connection of system.connections) {
        for (const { id, name, unit } of connection.datapoints) {
          datapoints.set(id, { id, name, unit, connection: connection.name, systemId: system.id, deviceId: device.id })
        }
      }
    }
  }
  return { devices: new Map(devices.map(({ id, name }) => [id, name])), systems, datapoints }
}

/** Returns the choices that fit the filters: the systems of the controller, the datapoints of the system. */
export function choicesOf(names: ReportNames, { deviceId, technicalSystemId }: ReportPageFilters) {
  const ofDevice = <Of extends { deviceId: string }>(each: Of) => deviceId === undefined || each.deviceId === deviceId
  return {
    devices: [...names.devices].map(([value, label]) => ({ value, label })),
    systems: [...names.systems].flatMap(([value, system]) => (ofDevice(system) ? [{ value, label: system.name }] : [])),
    datapoints: [...names.datapoints.values()]
      .filter((each) => ofDevice(each) && (technicalSystemId === undefined || each.systemId === technicalSystemId))
      .map(({ id, name, connection }) => ({ value: id, label: format(texts.datapointOn, { name, connection }) })),
  }
}

/** Returns the filters after a choice, without a system or datapoint that no longer fits. */
export function chosen(
  names: ReportNames,
  before: ReportPageFilters,
  choice: Partial<ReportPageFilters>,
): ReportPageFilters {
  const next = { ...before, ...choice }
  const system = names.systems.get(next.technicalSystemId ?? '')
  const keepsSystem = !('deviceId' in choice) || !system || !next.deviceId || system.deviceId === next.deviceId
  const technicalSystemId = keepsSystem ? next.technicalSystemId : undefined
  const datapoint = names.datapoints.get(next.datapointId ?? '')
  const fits =
    !datapoint ||
    ((next.deviceId === undefined || datapoint.deviceId === next.deviceId) &&
      (technicalSystemId === undefined || datapoint.systemId === technicalSystemId))
  const keepsDatapoint = 'datapointId' in choice || fits
  return { ...next, technicalSystemId, datapointId: keepsDatapoint ? next.datapointId : undefined }
}
