import type { LimitInput } from '@plantroom/contract/datapoint'
import { CONNECTION_STATUS } from '@plantroom/contract/values'
import type { Connections } from '../connections/connections.ts'

/** Follows the contacts of a ripple-control receiver or control box. */
export interface Contacts {
  /** Returns the contacts that limit the import now. */
  closed(inputs: readonly LimitInput[], monotonic: number): LimitInput[]
  /** Reports whether one was not read yet, shortly after it was first asked for. */
  areAwaited(inputs: readonly LimitInput[], monotonic: number): boolean
}

/** Equipment that answers has been read by then. */
const READ_MS = 3_000

interface Contact {
  isClosed: boolean
  /** Since when it differs from that; `undefined` while it does not. */
  differsSince: number | undefined
}

/** A contact counts when it has stayed closed or open for its time, so that one that bounces changes nothing. */
export function createContacts(connections: Connections): Contacts {
  const known = new Map<string, Contact>()
  let since: number | undefined

  /** `undefined` while it cannot be read. */
  function seen({ datapointId, closedValue }: LimitInput): boolean | undefined {
    const connection = connections.find(datapointId)?.connection
    const isLive = connection?.status() === CONNECTION_STATUS.connected
    const value = isLive ? connection?.current(datapointId).value : null
    return value === null || value === undefined ? undefined : value === closedValue
  }

  function follow(input: LimitInput, monotonic: number): boolean {
    const shown = seen(input)
    const isClosed = shown ?? input.whenLost === 'closed'
    // The first reading counts at once: nobody knows how long it has been so.
    const before = known.get(input.datapointId) ?? { isClosed, differsSince: undefined }
    if (shown === undefined && !known.has(input.datapointId)) return isClosed
    const differsSince = isClosed === before.isClosed ? undefined : (before.differsSince ?? monotonic)
    const counts = differsSince !== undefined && monotonic - differsSince >= input.debounceSeconds * 1000
    const after = counts ? { isClosed, differsSince: undefined } : { isClosed: before.isClosed, differsSince }
    known.set(input.datapointId, after)
    return after.isClosed
  }

  return {
    closed: (inputs, monotonic) => inputs.filter((input) => follow(input, monotonic)),
    areAwaited(inputs, monotonic) {
      since ??= monotonic
      const isUnread = (input: LimitInput) => !known.has(input.datapointId) && seen(input) === undefined
      return monotonic - since < READ_MS && inputs.some(isUnread)
    },
  }
}
