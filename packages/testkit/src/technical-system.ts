import { type Connection, type Datapoint, IDENTITY_SCALER, type TechnicalSystem } from '@plantroom/contract/datapoint'

/** Creates a datapoint as it is on a device, with the fields that the test is about. */
export function aDatapoint(about: Partial<Datapoint> & { id: string }): Datapoint {
  return {
    connectionId: 'conn',
    name: about.id,
    accessType: 'READ',
    analyticsInterval: 0,
    broadcastInterval: 0,
    writeInterval: 0,
    cloudScheduleId: null,
    scaler: IDENTITY_SCALER,
    alarmData: null,
    data: {},
    createdAt: '2030-01-01T00:00:00.000Z',
    updatedAt: '2030-01-01T00:00:00.000Z',
    ...about,
  }
}

/** Creates a connection that has these datapoints. */
export function aConnection(about: Partial<Connection> = {}): Connection {
  const { id = 'conn', datapoints = [] } = about
  return {
    name: id,
    protocol: 'modbus-tcp',
    settings: {},
    ...about,
    id,
    datapoints: datapoints.map((datapoint) => ({ ...datapoint, connectionId: id })),
  }
}

export function aSystem(id: string, connections: readonly Connection[]): TechnicalSystem {
  return { id, name: id, connections }
}
