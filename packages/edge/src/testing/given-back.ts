import type { ControlState } from '@plantroom/contract/control-state'
import type { RestoredControl } from '@plantroom/contract/replacement'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { Controller } from './controller.ts'

/** What the cloud gives back of power limits and of what they hold, from the last state that it has of a controller. */
export function limitsGivenBack({ holds, notes, powerLimit }: ControlState, now: number): RestoredControl {
  return {
    at: formatTimestamp(now),
    overrides: [],
    holds: holds.map(({ datapointId, by, value, overrideId, next }) => {
      const plain = notes?.plain[datapointId]
      return { datapointId, by, value, overrideId, ...(plain && { plain }), plainValue: next.value }
    }),
    limits: (powerLimit?.limits ?? []).map(({ state, ...limit }) => ({
      ...{ seq: 0, placedByName: '', reason: '' },
      ...limit,
      ...notes?.limits?.[limit.id],
      applied: state === 'active',
    })),
    ...(notes?.moved && { moved: notes.moved }),
    audit: null,
  }
}

/** Gives a controller that lost its memory back what the cloud had of it, after which it starts again. */
export async function giveBack(controller: Controller, kept: ControlState): Promise<void> {
  const { id = '', run = '' } = controller.state?.memory ?? {}
  const head = { replacementId: 'rpl_1', parts: 2, memory: { id, run } }
  const last = controller.reports.at(-1)
  const audit = last ? { seq: last.seq, hash: 'ab'.repeat(32) } : null
  const control = { ...limitsGivenBack(kept, controller.clock.now()), audit }
  await controller.call('restore', { ...head, part: 1, technicalSystem: controller.system })
  await controller.call('restore', { ...head, part: 2, control })
  if (controller.asksForRestart) await controller.restart()
}
