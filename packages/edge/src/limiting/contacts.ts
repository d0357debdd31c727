import type { LimitInput } from '@plantroom/contract/datapoint'
import { CONNECTION_STATUS } from '@plantroom/contract/values'
import type { Connections } from '../connections/connections.ts'

/** Follows the contacts of a ripple-control receiver or control box. */
export interface Contacts {
  /** Returns the contacts that limit the import now. */
  closed(inputs: readonly LimitInput[], monotonic: number): LimitInput[]
}

interface Contact {
  isClosed: boolean
  /** Since when it differs from that; `undefined` while it does not. */
  differsSince: number | undefined
}

/** A contact counts when it has stayed closed or open for its time, so that one that bounces changes nothing. */
export function createContacts(connections: Connections): Contacts {
  const known = new Map<string, Contact>()

  function seen({ datapointId, closedValue, whenLost }: LimitInput): boolean {
    const connection = connections.find(datapointId)?.connection
    const isLive = connection?.status() === CONNECTION_STATUS.connected
    const value = isLive ? connection?.current(datapointId).value : null
    return value === null || value === undefined ? whenLost === 'closed' : value === closedValue
  }

  function follow(input: LimitInput, monotonic: number): boolean {
    const isClosed = seen(input)
    // The first sight counts at once: nobody knows how long it has been so.
    const before = known.get(input.datapointId) ?? { isClosed, differsSince: undefined }
    const differsSince = isClosed === before.isClosed ? undefined : (before.differsSince ?? monotonic)
    const counts = differsSince !== undefined && monotonic - differsSince >= input.debounceSeconds * 1000
    const after = counts ? { isClosed, differsSince: undefined } : { isClosed: before.isClosed, differsSince }
    known.set(input.datapointId, after)
    return after.isClosed
  }

  return { closed: (inputs, monotonic) => inputs.filter((input) => follow(input, monotonic)) }
}
