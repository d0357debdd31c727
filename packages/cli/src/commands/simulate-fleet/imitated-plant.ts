import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { IDENTITY_SCALER } from '@plantroom/contract/datapoint'
import type { FleetSimulation } from '@plantroom/contract/fleet-simulation'

const ENVELOPE = { min: -50, max: 50 }
/** An address for documentation: no imitated controller connects to its equipment. */
const SETTINGS = { host: '192.0.2.1', port: 502, unitId: 1 }

/** What every imitated controller is commissioned with: one setpoint, and values that are only read. */
export function imitatedPlant(values: number, intervalSeconds: number): CommissioningFile {
  const analyticsInterval = intervalSeconds
  const register = (place: number) => ({ register: 100 + place, type: 'int16' })
  const setpoint = {
    name: 'Charge power',
    unit: 'kW',
    tags: ['battery.charge-power'],
    accessType: 'READ_WRITE' as const,
    writeInputType: 'number' as const,
    writeInputData: ENVELOPE,
    analyticsInterval,
    data: register(0),
  }
  const meters = Array.from({ length: values - 1 }, (_, index) => ({
    name: `Meter ${index + 1}`,
    accessType: 'READ' as const,
    analyticsInterval,
    data: register(index + 1),
  }))
  return {
    technicalSystem: 'Imitated plant',
    connections: [
      { name: 'Imitated inverter', protocol: 'modbus-tcp', settings: SETTINGS, datapoints: [setpoint, ...meters] },
    ],
  }
}

/** The datapoints of that plant as a controller exports them. */
export function exportedDatapoints({ connections }: CommissioningFile): FleetSimulation['datapoints'] {
  const at = '1970-01-01T00:00:00.000Z'
  return (connections[0]?.datapoints ?? []).map((point) => ({
    analyticsInterval: 0,
    broadcastInterval: 0,
    writeInterval: 0,
    cloudScheduleId: null,
    alarmData: null,
    scaler: IDENTITY_SCALER,
    createdAt: at,
    updatedAt: at,
    name: point.name,
    accessType: point.accessType,
    data: point.data,
    ...(point.writeInputType !== undefined && { writeInputType: point.writeInputType }),
    ...(point.writeInputData !== undefined && { writeInputData: point.writeInputData }),
    ...(point.analyticsInterval !== undefined && { analyticsInterval: point.analyticsInterval }),
  }))
}
