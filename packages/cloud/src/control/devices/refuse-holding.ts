import type { ControlState } from '@plantroom/contract/control-state'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { Ask } from './ask.ts'
import type { LastStates } from './last-states.ts'

/** Throws while a device holds something: once it is removed, nobody can release that before it ends. */
export async function refuseHolding(
  { id, name }: { id: string; name: string },
  deps: { ask: Ask; states: Pick<LastStates, 'find'> },
): Promise<void> {
  const known = await readHolds(id, deps)
  if (known.holds.length === 0) return
  const count = `${known.holds.length} ${known.holds.length === 1 ? 'datapoint' : 'datapoints'}`
  const holds = known.saidAt === undefined ? `holds ${count}` : `does not answer and held ${count} at ${known.saidAt}`
  throw new Failure(
    'unconfirmed',
    `the device "${shown(name)}" ${holds}: cancel its overrides first. If you remove it anyway, its controller ends them on time, and nobody can end them earlier`,
  )
}

/** Asks the controller. If that fails, its last known state counts; one that never sent a state holds nothing. */
async function readHolds(
  deviceId: string,
  { ask, states }: { ask: Ask; states: Pick<LastStates, 'find'> },
): Promise<{ holds: ControlState['holds']; saidAt?: string }> {
  try {
    return await ask(deviceId, 'getControlState', {})
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
  const last = await states.find(deviceId)
  return last ? { holds: last.state.holds, saidAt: formatTimestamp(last.receivedAt) } : { holds: [] }
}
