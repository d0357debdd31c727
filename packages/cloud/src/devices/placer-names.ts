import type { Log } from '@plantroom/base/log'
import type { ControlState, LiveDevice } from '@plantroom/contract/control-state'
import type { PlacerStore } from './placer-store.ts'

/** Ids of our own look like this. A device may tell anything. */
const AN_ID = /^[\w:-]{1,100}$/
/** Looked up at once. */
const MAX_IDS = 1_000

/** Puts names to those who placed overrides. What was found once is remembered; what was not is looked up again. */
export interface PlacerNames {
  addTo(state: ControlState): Promise<LiveDevice>
}

export function createPlacerNames(deps: { store: PlacerStore; organizationId: string; log: Log }): PlacerNames {
  const { store, organizationId, log } = deps
  const known = new Map<string, string>()

  async function lookUp(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    try {
      for (const [id, name] of await store.names(organizationId, ids)) known.set(id, name)
    } catch (error) {
      // What a device is at can be told without them.
      log.warn({ err: error }, 'the names of those who placed overrides cannot be looked up')
    }
  }

  return {
    async addTo(state) {
      const placers = new Set(state.overrides.map(({ placedBy }) => placedBy))
      const unknown = [...placers].filter((id) => !known.has(id) && AN_ID.test(id))
      await lookUp(unknown.slice(0, MAX_IDS))
      for (const id of known.keys()) if (!placers.has(id)) known.delete(id)
      const overrides = state.overrides.map((window) => ({
        ...window,
        placedByName: known.get(window.placedBy) ?? null,
      }))
      return { ...state, overrides }
    },
  }
}
