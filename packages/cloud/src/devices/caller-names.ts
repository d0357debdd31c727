import type { Log } from '@plantroom/base/log'
import type { ControlState, LiveDevice } from '@plantroom/contract/control-state'
import type { CallerNameStore } from './caller-name-store.ts'

/** The form of our caller ids. A device may send anything. */
const CALLER_ID = /^[\w:-]{1,100}$/
/** Per lookup. */
const MAX_IDS = 1_000

/** Adds the names of callers to overrides. Caches names that were found and looks up the others again. */
export interface CallerNames {
  addTo(state: ControlState): Promise<LiveDevice>
}

export function createCallerNames(deps: { store: CallerNameStore; organizationId: string; log: Log }): CallerNames {
  const { store, organizationId, log } = deps
  const known = new Map<string, string>()

  async function lookUp(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    try {
      for (const [id, name] of await store.names(organizationId, ids)) known.set(id, name)
    } catch (error) {
      // The state of a device is useful without names.
      log.warn({ err: error }, 'could not look up the names of callers')
    }
  }

  return {
    async addTo(state) {
      const callers = new Set(state.overrides.map(({ placedBy }) => placedBy))
      const unknown = [...callers].filter((id) => !known.has(id) && CALLER_ID.test(id))
      await lookUp(unknown.slice(0, MAX_IDS))
      for (const id of known.keys()) if (!callers.has(id)) known.delete(id)
      const overrides = state.overrides.map((override) => ({
        ...override,
        placedByName: known.get(override.placedBy) ?? null,
      }))
      return { ...state, overrides }
    },
  }
}
