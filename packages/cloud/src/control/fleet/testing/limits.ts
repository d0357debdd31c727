import { expect } from 'vitest'
import { startFleet } from './fleet.ts'

/** A fleet whose controllers have power limits. */
export async function startLimits(count: number) {
  const fleet = await startFleet(count)
  await fleet.commissionLimits()
  const heldBy = (index: number) => [...fleet.device(index).limits.values()].map(({ kw }) => kw)
  const completed = (id: string) => async () => expect((await fleet.dispatch(id)).state).toBe('completed')
  const released = (id: string) => async () => expect((await fleet.dispatch(id)).releasing).toBe(0)
  /** Lets a controller report its power and the limits that it has. */
  const draws = (index: number, meterKw: number) => {
    const limits = [...fleet.device(index).limits.values()]
    const received_at = new Date(fleet.clock.now())
    const document = JSON.stringify({ powerLimit: { meterKw, limits } }) as never
    return fleet.db
      .insertInto('device_state')
      .values({ device_id: fleet.device(index).id, held: 0, troubled: 0, received_at, document })
      .onConflict((known) => known.column('device_id').doUpdateSet({ received_at, document }))
      .execute()
  }
  return { ...fleet, heldBy, completed, released, draws }
}
