import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Failsafe, TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { Place } from '../connections/connections.ts'
import { shows } from './equipment.ts'

/** How far a heartbeat counts: as far as its register can hold. Most have 16 bits. */
const HEARTBEATS = [65_536, 32_768, 100, 2] as const

/**
 * Protects equipment against a controller that dies while it holds a datapoint: a reversion timer that is re-armed
 * regularly, or a heartbeat that keeps changing. When the controller falls silent, the equipment reverts. A datapoint
 * without a commissioned failsafe has the timer that its driver knows, if any.
 */
export interface Failsafes {
  apply(system: TechnicalSystem): void
  /** Call before writing a setpoint. Rejects when the register cannot be written: then the setpoint must not be either. */
  arm(place: Place): Promise<void>
  /** How long after a setpoint was written it must be written again, so that the equipment's own timer does not end it. */
  rewriteAfterMs(datapointId: string): number | undefined
  /** Call when the datapoint has been released. Rejects while the register is not known to be disarmed. */
  disarm(place: Place): Promise<void>
  /** Stops re-arming, so that the equipment reverts by itself. */
  letExpire(datapointId: string): void
  /** Reports whether this datapoint is the register of a failsafe, which nothing else may write. */
  guards(datapointId: string): boolean
  /** The datapoints whose failsafe uses this one as its register. */
  guardedBy(registerId: string): readonly string[]
  close(): void
}

export function createFailsafes(deps: { clock: Clock; log: Log }): Failsafes {
  const { clock, log } = deps
  const systems = new Map<string, readonly Failsafe[]>()
  const byDatapoint = new Map<string, Failsafe>()
  const registers = new Set<string>()
  /** Cancels the next signal of each datapoint whose failsafe is armed. */
  const armed = new Map<string, () => void>()
  /** After how many seconds the equipment ends a hold by its own timer. */
  const ownTimers = new Map<string, number>()
  const beats = new Map<string, number>()
  let closed = false

  async function write({ connection }: Place, { registerId }: Failsafe, value: number): Promise<void> {
    await connection.write(registerId, connection.toRaw(registerId, value))
  }

  async function expectDisarmed({ connection }: Place, { registerId }: Failsafe): Promise<void> {
    const register = connection.config.datapoints.find(({ id }) => id === registerId)
    if (register?.accessType === 'WRITE') return
    const reading = await connection.read(registerId)
    if (shows(reading, connection.toRaw(registerId, 0))) return
    throw new Failure('offline', `its register shows ${'raw' in reading ? reading.raw : reading.error}`)
  }

  function nextBeat({ connection }: Place, { registerId }: Failsafe): number {
    const fits = (count: number) => {
      try {
        connection.toRaw(registerId, count - 1)
        return true
      } catch {
        return false
      }
    }
    const next = ((beats.get(registerId) ?? 0) + 1) % (HEARTBEATS.find(fits) ?? 2)
    beats.set(registerId, next)
    return next
  }

  /** Returns the seconds within which the next signal must arrive; `undefined` for a datapoint without a failsafe. */
  async function signal(place: Place): Promise<number | undefined> {
    const { id } = place.datapoint
    const failsafe = byDatapoint.get(id)
    if (!failsafe) {
      const seconds = await place.connection.armReversion(id)
      if (seconds === undefined) ownTimers.delete(id)
      else ownTimers.set(id, seconds)
      return seconds
    }
    await write(place, failsafe, failsafe.kind === 'reversion' ? failsafe.seconds : nextBeat(place, failsafe))
    return failsafe.seconds
  }

  function letExpire(datapointId: string): void {
    armed.get(datapointId)?.()
    armed.delete(datapointId)
    ownTimers.delete(datapointId)
  }

  function keepAlive(place: Place): void {
    const { id, name } = place.datapoint
    const seconds = byDatapoint.get(id)?.seconds ?? ownTimers.get(id)
    armed.get(id)?.()
    armed.delete(id)
    if (seconds === undefined || closed) return
    // A third of the period leaves time for a slow write and for one that is lost. The equipment's own timer is armed with
    // each setpoint, which is written more often.
    const ms = (seconds * 1000) / (ownTimers.has(id) ? 2 : 3)
    const cancel = clock.after(ms, async () => {
      // Only logged: the next signal retries, and the setpoint's own writes report a link that is down.
      await signal(place).catch((error: Error) =>
        log.warn({ datapoint: name, reason: error.message }, 'could not refresh the failsafe; retrying'),
      )
      // It may have been disarmed or re-armed while the signal was on its way.
      if (armed.get(id) === cancel) keepAlive(place)
    })
    armed.set(id, cancel)
  }

  return {
    apply(system) {
      systems.set(system.id, system.failsafes ?? [])
      byDatapoint.clear()
      registers.clear()
      for (const failsafe of [...systems.values()].flat()) {
        byDatapoint.set(failsafe.datapointId, failsafe)
        registers.add(failsafe.registerId)
      }
    },
    async arm(place) {
      if ((await signal(place)) !== undefined) keepAlive(place)
    },
    rewriteAfterMs(datapointId) {
      const seconds = ownTimers.get(datapointId)
      return seconds === undefined ? undefined : (seconds * 1000) / 3
    },
    async disarm(place) {
      const { id } = place.datapoint
      letExpire(id)
      const failsafe = byDatapoint.get(id)
      if (failsafe?.kind === 'heartbeat') return
      try {
        if (!failsafe) return await place.connection.disarmReversion(id)
        await write(place, failsafe, 0)
        await expectDisarmed(place, failsafe)
      } catch (error) {
        throw new Failure('offline', `the failsafe could not be disarmed: ${(error as Error).message}`)
      }
    },
    letExpire,
    guards: (datapointId) => registers.has(datapointId),
    guardedBy: (registerId) =>
      [...byDatapoint.values()].filter((one) => one.registerId === registerId).map(({ datapointId }) => datapointId),
    close() {
      closed = true
      for (const cancel of armed.values()) cancel()
    },
  }
}
