import type { EntryCaller } from '@plantroom/contract/reports'
import { HOLDING_WRITERS } from '@plantroom/contract/writers'
import type { Raw } from '@plantroom/drivers/driver'
import type { Connections } from '../connections/connections.ts'
import { sameRaw } from '../connections/scaling.ts'
import type { Change } from '../store/commits.ts'
import { allowedAt, plainValue } from '../writing/equipment.ts'
import { type Hold, setpointOf } from '../writing/hold.ts'
import { type OverrideState, withdrawOverride } from './evaluate.ts'

interface SharedState extends OverrideState {
  connections: Pick<Connections, 'shared' | 'find'>
}

/** A hold to close without a write, and why. */
interface Closing {
  datapointId: string
  by: EntryCaller
}

/**
 * Ends what an earlier version placed on datapoints that write the address of an older one. Call it after a start, before
 * anything is written. Where several of them are held, only the hold that began first knows the right value to restore: it
 * stays, or is released if its datapoint must not be written. Returns the others.
 */
export function endShared(state: SharedState, to: Change): Closing[] {
  const holds = new Map(Array.from(state.arbiter.holds(), ({ datapointId, hold }) => [datapointId, hold]))
  const groups = Map.groupBy(state.connections.shared(), ({ first }) => first.id)
  return [...groups.values()].flatMap((pairs) => {
    const [{ first, name }] = pairs as [(typeof pairs)[number]]
    const seconds = pairs.map(({ second }) => second)
    const names = [first, ...seconds].map((datapoint) => datapoint.name).join(' and ')
    const by = { id: 'controller', name: 'Controller', reason: `${names} write the same ${name}` }
    const held = [first, ...seconds].flatMap(({ id }) => {
      const hold = holds.get(id)
      return hold ? [{ id, hold }] : []
    })
    const kept = firstToBegin(state, held)
    const closed = held.filter(({ id }) => id !== kept?.id)
    const ended = new Set([...seconds, ...closed].map(({ id }) => id))
    for (const id of ended) withdrawAll(state, to, id, by)
    return closed.map(({ id }) => ({ datapointId: id, by }))
  })
}

function withdrawAll(state: SharedState, to: Change, datapointId: string, by: EntryCaller): void {
  const { byId, arbiter } = state
  const overrides = [...byId.kept.values()].filter((override) => override.datapointId === datapointId)
  for (const override of overrides.toSorted((a, b) => a.seq - b.seq)) withdrawOverride(state, to, override, by)
  for (const writer of HOLDING_WRITERS) {
    if (arbiter.claims(datapointId)[writer]) arbiter.decide(to, datapointId, writer, undefined, { cancelledBy: by })
  }
}

interface Held {
  id: string
  hold: Hold
}

/** Returns the hold that did not take another's setpoint for the value before; the first of the list where that says nothing. */
function firstToBegin(state: SharedState, held: readonly Held[]): Held | undefined {
  const setpoints = new Map(held.map(({ id, hold }) => [id, setpointRaw(state, id, hold)]))
  const isLater = ({ id, hold: { plain } }: Held) =>
    [...setpoints].some(([otherId, setpoint]) => {
      return otherId !== id && setpoint !== undefined && plain && plain.raw !== null && sameRaw(plain.raw, setpoint)
    })
  return held.find((one) => !isLater(one)) ?? held[0]
}

function setpointRaw({ connections }: SharedState, datapointId: string, hold: Hold): Raw | undefined {
  const place = connections.find(datapointId)
  const claim = (hold.holder ?? hold.releasing?.holder)?.claim
  const value = place && claim ? setpointOf(claim, plainValue(hold, place), allowedAt(place)) : null
  try {
    return value === null ? undefined : place?.connection.toRaw(datapointId, value)
  } catch {
    return undefined
  }
}
