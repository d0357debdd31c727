export const ACCESS_TYPES = ['READ', 'READ_WRITE', 'WRITE'] as const
export type AccessType = (typeof ACCESS_TYPES)[number]

/** The line through two points that maps engineering units to the raw protocol value. */
export interface Scaler {
  inputValue1: number
  outputValue1: number
  inputValue2: number
  outputValue2: number
}

/** The commissioned operating envelope. Told to callers, never enforced. */
export interface Envelope {
  min: number
  max: number
}

/** A datapoint as the device knows it and `getTechnicalDataPoints` returns it. */
export interface Datapoint {
  id: string
  connectionId: string
  name: string
  accessType: AccessType
  writeInputType?: string
  writeInputData?: Envelope
  analyticsInterval: number
  analyticsCalculateConsumption?: boolean
  broadcastInterval: number
  writeInterval: number
  cloudScheduleId: string | null
  scaler: Scaler
  alarmData: object | null
  data: Record<string, unknown>
  createdAt: string
  updatedAt: string
}

/** A device's link to one protocol endpoint, with the datapoints it owns. */
export interface Connection {
  id: string
  name: string
  protocol: Protocol
  settings: Record<string, unknown>
  datapoints: readonly Datapoint[]
}

export const PROTOCOLS = ['modbus-tcp', 'mqtt', 'obix'] as const
export type Protocol = (typeof PROTOCOLS)[number]

/** What one commissioning file sets up on a device. */
export interface TechnicalSystem {
  id: string
  name: string
  connections: readonly Connection[]
}

/** Engineering units are the raw value: the scaler of a datapoint that was commissioned without one. */
export const IDENTITY_SCALER: Scaler = { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 1 }
