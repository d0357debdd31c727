import { hash } from 'node:crypto'
import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { Placement } from '@plantroom/openadr/placements'
import { type DispatchToAdd, planLimit, windowOf } from '../fleet/index.ts'
import type { Mapped } from './mapped-store.ts'
import { ownerOf, type StoredProgram } from './program-store.ts'

/** What carries out a placement, or why it cannot be. */
export type Carried = { dispatch: DispatchToAdd } | { reason: string }

/**
 * Returns the fleet dispatch of a placement. Its idempotency key is the id of the row that is stored with it: a placement that
 * comes back after it ended is another dispatch. Pure, except for the id.
 */
export function dispatchOf(
  program: Pick<StoredProgram, 'id' | 'name' | 'organizationId'>,
  placement: Placement,
  { id, eventName, mapped, now }: { id: string; eventName: string; mapped: Mapped; now: number },
): Carried {
  const { target, value } = placement
  const times = { from: formatTimestamp(placement.from), to: formatTimestamp(placement.to) }
  const idempotencyKey = id
  const shared = {
    organizationId: program.organizationId,
    placedBy: ownerOf(program),
    idempotencyKey,
    requestHash: hash('sha256', idempotencyKey),
    staggerSeconds: 0,
    reason: `OpenADR ${program.name}: ${eventName}`.slice(0, 200).toWellFormed(),
  }
  try {
    if (target.kind === 'setpoint') {
      const datapoint = mapped.writable.get(target.datapointId)
      if (!datapoint) return { reason: 'the datapoint is no longer commissioned, or cannot be written' }
      const window = windowOf(times, now)
      const { id: datapointId, deviceId, siteId } = datapoint
      const targets = [{ deviceId, siteId, datapointId, value, from: window.from }]
      return { dispatch: { ...shared, id: newId('dsp'), value, totalKw: undefined, window, targets } }
    }
    const { siteId, direction, averagingSeconds } = target
    const meters = mapped.meters.get(siteId)
    if (!meters)
      return { reason: 'no controller of the site has a power limit: add powerLimit to its commissioning file' }
    const request = { idempotencyKey, siteId, direction, kw: value, averagingSeconds, ...times }
    const limit = { direction, averagingSeconds }
    return {
      dispatch: {
        ...shared,
        id: newId('lim'),
        value: undefined,
        totalKw: value,
        limit,
        ...planLimit(request, meters, now),
      },
    }
  } catch (error) {
    if (error instanceof Failure && error.kind === 'invalid') return { reason: error.message }
    throw error
  }
}
