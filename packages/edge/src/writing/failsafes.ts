import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Failsafe, TechnicalSystem } from '@plantroom/contract/datapoint'
import type { Place } from '../connections/connections.ts'

/** A heartbeat is a 16-bit register as a rule. */
const HEARTBEATS = 65_536

/**
 * What the equipment offers for the case that this controller dies while it holds a datapoint: a reversion timer that
 * is armed again and again, or a heartbeat that goes on. Silent when the controller is: the equipment falls back.
 */
export interface Failsafes {
  apply(system: TechnicalSystem): void
  /** Before a held value is written. Rejects when the register cannot be written: then nothing is to be held. */
  arm(place: Place): Promise<void>
  /** After the datapoint was handed back. */
  disarm(place: Place): Promise<void>
  /** Reports whether this datapoint is the register of a failsafe: then nothing else may write it. */
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
  /** How to call off the next signal of each datapoint that is kept alive. */
  const armed = new Map<string, () => void>()
  let beats = 0
  let closed = false

  async function write({ connection }: Place, { registerId }: Failsafe, value: number): Promise<void> {
    await connection.write(registerId, connection.toRaw(registerId, value))
  }

  function signal(place: Place, failsafe: Failsafe): Promise<void> {
    beats = (beats + 1) % HEARTBEATS
    return write(place, failsafe, failsafe.kind === 'reversion' ? failsafe.seconds : beats)
  }

  function keepAlive(place: Place): void {
    const { id, name } = place.datapoint
    armed.get(id)?.()
    armed.delete(id)
    const failsafe = byDatapoint.get(id)
    if (!failsafe || closed) return
    // Well before it runs out, or is missed: a write takes its time, and one may be lost.
    const ms = (failsafe.seconds * 1000) / 3
    const cancel = clock.after(ms, async () => {
      // A register that cannot be written now is tried again: the setpoint itself says that the link is down.
      await signal(place, failsafe).catch((error: Error) =>
        log.warn({ datapoint: name, reason: error.message }, 'the failsafe could not be kept alive'),
      )
      // It may have been disarmed, or armed anew, while the signal was on its way.
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
      const failsafe = byDatapoint.get(place.datapoint.id)
      if (!failsafe) return
      await signal(place, failsafe)
      keepAlive(place)
    },
    async disarm(place) {
      const { id, name } = place.datapoint
      armed.get(id)?.()
      armed.delete(id)
      const failsafe = byDatapoint.get(id)
      if (failsafe?.kind !== 'reversion') return
      await write(place, failsafe, 0).catch((error: Error) =>
        log.warn({ datapoint: name, reason: error.message }, 'the failsafe could not be disarmed'),
      )
    },
    guards: (datapointId) => registers.has(datapointId),
    guardedBy: (registerId) =>
      [...byDatapoint.values()].filter((one) => one.registerId === registerId).map(({ datapointId }) => datapointId),
    close() {
      closed = true
      for (const cancel of armed.values()) cancel()
    },
  }
}
