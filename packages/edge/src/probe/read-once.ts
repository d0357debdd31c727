import type { Clock } from '@plantroom/base/clock'
import type { CommandRequest } from '@plantroom/contract/commands'
import { fileProblems } from '@plantroom/contract/commissioning'
import type { EquipmentReading } from '@plantroom/contract/discovery'
import { Failure } from '@plantroom/contract/failure'
import type { Protocol } from '@plantroom/drivers/driver'
import { probeConnection } from './probe-connection.ts'
import { toConnection } from './to-connection.ts'

/** Each opens a link of its own where no connection shares it. */
const MOST_AT_ONCE = 8
/** The reply must reach the caller who waits for it. */
const REPLY_MS = 500
const LONGEST_MS = 15_000

/** Reads addresses at equipment that may not be commissioned. Writes nothing. */
export type ReadEquipment = (address: CommandRequest<'readEquipment'>, leftMs: number) => Promise<EquipmentReading>

/** Takes at most `leftMs`. Rejects with a `Failure` when the address is invalid, or when too many are being read. */
export function createReadEquipment(deps: {
  protocols: Readonly<Record<string, Protocol>>
  clock: Clock
}): ReadEquipment {
  let reading = 0
  return async ({ protocol, settings, data, scaler }, leftMs) => {
    const datapoint = { name: 'The address', accessType: 'READ' as const, data, ...(scaler && { scaler }) }
    const written = { name: 'A reading', protocol, settings, datapoints: [datapoint] }
    const connection = toConnection(written, 'reading')
    const known = Object.hasOwn(deps.protocols, protocol) ? deps.protocols[protocol] : undefined
    const ofScaler = fileProblems({ technicalSystem: written.name, connections: [written] })
    const problems = [...(known?.check(connection) ?? []), ...ofScaler]
    if (problems.length > 0) {
      const fieldOf = (path: string) => path.replace('connections[0].', '').replace('datapoints[0].', '')
      throw rejected(problems.map(({ path, message }) => `${fieldOf(path)}: ${message}`).join('; '))
    }
    if (reading >= MOST_AT_ONCE) {
      throw rejected(`the controller is reading ${MOST_AT_ONCE} other addresses; read this one in a moment`)
    }
    reading += 1
    try {
      const limitMs = Math.min(Math.max(leftMs - REPLY_MS, REPLY_MS), LONGEST_MS)
      const { error: reason, datapoints } = await probeConnection(connection, { ...deps, limitMs, once: true })
      const [{ raw, value, note, error } = NOTHING] = datapoints
      return { raw, value, note, error: raw === null && note === null ? (error ?? reason) : null }
    } finally {
      reading -= 1
    }
  }
}

const NOTHING = { raw: null, value: null, note: null, error: null }
const rejected = (message: string) => new Failure('rejected', message)
