interface Amount {
  min: number
  max: number
  /** The default value; a fault without one requires a value. */
  fallback?: number
}

const SWITCH: Amount = { min: 1, max: 1, fallback: 1 }
const MS: Amount = { min: 1, max: 600_000 }

/** All faults that the equipment can have. */
const KNOWN = {
  modbus: {
    /** Accepts connections, but neither answers nor executes requests. */
    silent: SWITCH,
    /** Answers after this many milliseconds. */
    late: MS,
    'wrong-transaction': SWITCH,
    'wrong-unit': SWITCH,
    /** Omits the last byte of the data, with a matching header. */
    'short-frame': SWITCH,
    /** Sends answers one byte at a time. */
    'byte-by-byte': SWITCH,
    /** Answers everything with this exception. */
    exception: { min: 1, max: 11 },
    /** Closes the connection at every request. */
    reset: SWITCH,
    /** Acknowledges every write and changes nothing. */
    'ignore-writes': SWITCH,
    /** Closes all connections and loses all written values, once. */
    reboot: SWITCH,
    /** Accepts a single connection, and closes every other. */
    'one-connection': SWITCH,
    /** Ignores requests within this many milliseconds of the connection. */
    'deaf-after-connect': MS,
    /** Limits the faults of requests to this unit. */
    'only-unit': { min: 0, max: 255 },
  },
  mqtt: {
    /** Neither publishes nor obeys commands; retained messages stay. */
    silent: SWITCH,
    'ignore-commands': SWITCH,
    /** Publishes that it is offline, and goes offline. */
    offline: SWITCH,
    /** Publishes states that cannot be parsed. */
    garbage: SWITCH,
  },
  obix: {
    /** Answers everything with an `err`. */
    err: SWITCH,
    /** Answers after this many milliseconds. */
    late: MS,
    /** Answers everything with a body of this many MB. */
    'huge-body': { min: 1, max: 10_000, fallback: 100 },
    /** Closes the connection at every request. */
    reset: SWITCH,
    /** Acknowledges every write and changes nothing. */
    'ignore-writes': SWITCH,
    /** Ends a watch after this many seconds without a poll, whatever its lease. */
    lease: { min: 1, max: 3600 },
  },
  meter: {
    /** Shows each measurement after this many milliseconds. */
    late: MS,
    /** Shows a new measurement only every so many milliseconds. */
    every: MS,
    /** Stays at its last value. */
    frozen: SWITCH,
    /** Counts in the other direction. */
    reversed: SWITCH,
  },
  battery: {
    /** Takes every setpoint, and stays at its power. */
    refuses: SWITCH,
  },
} as const satisfies Record<string, Record<string, Amount>>

export type ModbusFaults = FaultsOf<'modbus'>
export type MqttFaults = FaultsOf<'mqtt'>
export type ObixFaults = FaultsOf<'obix'>
export type MeterFaults = FaultsOf<'meter'>
export type BatteryFaults = FaultsOf<'battery'>

/** The faults of the plant behind the protocols. */
export interface PlantFaults {
  meter?: MeterFaults
  battery?: BatteryFaults
}

/** The current faults with their values; a fault without a value is 1. */
export interface Faults {
  modbus: ModbusFaults
  mqtt: MqttFaults
  obix: ObixFaults
  meter: MeterFaults
  battery: BatteryFaults
}

type Part = keyof typeof KNOWN
type FaultsOf<P extends Part> = { readonly [Name in keyof (typeof KNOWN)[P]]?: number }

/** Parses faults, for example `modbus:late=1500`. The result is complete only if there are no problems. */
export function parseFaults(texts: readonly string[]): { faults: Faults; problems: readonly string[] } {
  const faults: Record<Part, Record<string, number>> = { modbus: {}, mqtt: {}, obix: {}, meter: {}, battery: {} }
  const problems: string[] = []
  for (const text of texts) {
    const [, part = '', name = '', , given] = /^(\w+):([\w-]+)(=(.*))?$/.exec(text) ?? []
    const amount = isPart(part) ? amountOf(part, name) : undefined
    if (!isPart(part) || !amount) {
      problems.push(`${text} is not one of: ${names().join(', ')}`)
      continue
    }
    const value = given === undefined ? amount.fallback : /^\d+$/.test(given) ? Number(given) : undefined
    if (value === undefined || value < amount.min || value > amount.max) {
      problems.push(`${text} needs a whole number from ${amount.min} to ${amount.max}: ${part}:${name}=${amount.min}`)
      continue
    }
    faults[part][name] = value
  }
  return { faults, problems }
}

const isPart = (name: string): name is Part => Object.hasOwn(KNOWN, name)

function amountOf(part: Part, name: string): Amount | undefined {
  const known: Readonly<Record<string, Amount>> = KNOWN[part]
  return Object.hasOwn(known, name) ? known[name] : undefined
}

function names(): string[] {
  return Object.entries(KNOWN).flatMap(([part, known]) => Object.keys(known).map((name) => `${part}:${name}`))
}
