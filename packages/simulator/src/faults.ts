interface Amount {
  min: number
  max: number
  /** What it is where nothing is said; without it, it must be said. */
  fallback?: number
}

const SWITCH: Amount = { min: 1, max: 1, fallback: 1 }
const MS: Amount = { min: 1, max: 600_000 }

/** Every way in which the equipment can misbehave. */
const KNOWN = {
  modbus: {
    /** Takes connections, and neither answers requests nor carries them out. */
    silent: SWITCH,
    /** Answers after so many milliseconds. */
    late: MS,
    'wrong-transaction': SWITCH,
    'wrong-unit': SWITCH,
    /** The last byte of the data is missing, and the header agrees. */
    'short-frame': SWITCH,
    /** The answer comes one byte at a time. */
    'byte-by-byte': SWITCH,
    /** Answers everything with this exception. */
    exception: { min: 1, max: 11 },
    /** Cuts the connection at every request. */
    reset: SWITCH,
    /** Acknowledges every write and changes nothing. */
    'ignore-writes': SWITCH,
    /** Once, when it is set: hangs up, and has forgotten what was ever written. */
    reboot: SWITCH,
    /** Hangs up on whoever comes second. */
    'one-connection': SWITCH,
    /** Does not hear what is sent within so many milliseconds of the connect. */
    'deaf-after-connect': MS,
    /** All that is said of requests concerns this unit alone. */
    'only-unit': { min: 0, max: 255 },
  },
  mqtt: {
    /** Neither says anything nor obeys; what the broker keeps of it stays. */
    silent: SWITCH,
    'ignore-commands': SWITCH,
    /** Tells that it is offline, and is. */
    offline: SWITCH,
    /** Its states are nothing that can be read. */
    garbage: SWITCH,
  },
  obix: {
    /** Answers everything with an `err`. */
    err: SWITCH,
    /** Answers after so many milliseconds. */
    late: MS,
    /** Answers everything with a body of so many MB. */
    'huge-body': { min: 1, max: 10_000, fallback: 100 },
    /** Cuts the connection at every request. */
    reset: SWITCH,
    /** Acknowledges every write and changes nothing. */
    'ignore-writes': SWITCH,
    /** A watch ends after so many seconds without a poll, whatever was asked for. */
    lease: { min: 1, max: 3600 },
  },
} as const satisfies Record<string, Record<string, Amount>>

export type ModbusFaults = FaultsOf<'modbus'>
export type MqttFaults = FaultsOf<'mqtt'>
export type ObixFaults = FaultsOf<'obix'>

/** What is wrong now: a fault that is not named is not there; a switch is 1. */
export interface Faults {
  modbus: ModbusFaults
  mqtt: MqttFaults
  obix: ObixFaults
}

type Protocol = keyof typeof KNOWN
type FaultsOf<P extends Protocol> = { readonly [Name in keyof (typeof KNOWN)[P]]?: number }

/** Reads faults such as `modbus:late=1500`. They are complete only where there are no problems. */
export function parseFaults(texts: readonly string[]): { faults: Faults; problems: readonly string[] } {
  const faults: Record<Protocol, Record<string, number>> = { modbus: {}, mqtt: {}, obix: {} }
  const problems: string[] = []
  for (const text of texts) {
    const [, protocol = '', name = '', , given] = /^(\w+):([\w-]+)(=(.*))?$/.exec(text) ?? []
    const amount = isProtocol(protocol) ? amountOf(protocol, name) : undefined
    if (!isProtocol(protocol) || !amount) {
      problems.push(`${text} is not one of: ${names().join(', ')}`)
      continue
    }
    const value = given === undefined ? amount.fallback : /^\d+$/.test(given) ? Number(given) : undefined
    if (value === undefined || value < amount.min || value > amount.max) {
      problems.push(
        `${text} needs a whole number from ${amount.min} to ${amount.max}: ${protocol}:${name}=${amount.min}`,
      )
      continue
    }
    faults[protocol][name] = value
  }
  return { faults, problems }
}

const isProtocol = (name: string): name is Protocol => Object.hasOwn(KNOWN, name)

function amountOf(protocol: Protocol, name: string): Amount | undefined {
  const known: Readonly<Record<string, Amount>> = KNOWN[protocol]
  return Object.hasOwn(known, name) ? known[name] : undefined
}

function names(): string[] {
  return Object.entries(KNOWN).flatMap(([protocol, known]) => Object.keys(known).map((name) => `${protocol}:${name}`))
}
