import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import type { Connections } from '../connections/connections.ts'
import type { TechnicalSystemStore } from '../store/technical-system-store.ts'
import type { CommandHandler } from './command.ts'

/** `commission`: judged whole, on disk, then running, in this order; what is rejected changes nothing. */
export function commission(connections: Connections, store: TechnicalSystemStore): CommandHandler {
  return async (data) => {
    const system = data.technicalSystem as TechnicalSystem
    connections.check(system)
    if (system.connections.length === 0) store.remove(system.id)
    else store.save(system)
    await connections.apply(system)
    return '{}'
  }
}
