import type { Reading } from '@plantroom/drivers/driver'
import type { Connections, Place } from '../connections/connections.ts'
import { toEngineering } from '../connections/scaling.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { LimitStore } from '../store/limit-store.ts'
import { afterMove, afterSeen, allowance, type Block, type LimitState, limitsSwitching, switchBlock } from './limits.ts'

/** Remembers how equipment with limits switched and moved, also through restarts, and says what is allowed now. */
export interface LimitKeeper {
  /** Takes in what the equipment was seen at, or what was written where it cannot be read. In engineering units. */
  seen(place: Place, value: number): void
  /** Records that a value was moved on its way to another one. */
  moved(place: Place, by: number, value: number): Promise<void>
  /** Says why a value must not be written at this time; `undefined` when it may be. */
  block(place: Place, value: number, at?: number): Block | undefined
  /** Returns how far the value may move now, and when more is allowed; `undefined` without such a limit. */
  step(place: Place): { by: number; nextAt: number } | undefined
}

export function createLimitKeeper(deps: {
  store: LimitStore<LimitState>
  commits: Commits
  /** The wall time by which overrides are judged. */
  wallTime: () => number
}): LimitKeeper {
  const { store, commits, wallTime } = deps
  const states = commits.stagedMap(store.load())

  function change(place: Place, next: (before: LimitState | undefined) => LimitState): (to: Change) => void {
    const { id } = place.datapoint
    return (to) => {
      const before = states.get(id)
      const after = next(before)
      if (after === before) return
      states.set(id, after)
      store.put(to, id, after)
    }
  }

  const when = ({ timeZone }: Place) => ({ now: wallTime(), timeZone })

  return {
    seen(place, value) {
      if (!limitsSwitching(place.datapoint.limits) || !Number.isFinite(value)) return
      const before = states.kept.get(place.datapoint.id)
      // Asked for every reading: most of them change nothing.
      if (before?.isOn === (value !== 0)) return
      void commits.record(change(place, (state) => afterSeen(state, value, when(place))))
    },
    async moved(place, by, value) {
      await commits.record(change(place, (state) => afterMove(state, by, value, when(place))))
    },
    block(place, value, at) {
      const { limits, id } = place.datapoint
      if (!limits || !limitsSwitching(limits)) return undefined
      const now = wallTime()
      return switchBlock(states.get(id), value, limits, { at: Math.max(at ?? now, now), now, timeZone: place.timeZone })
    },
    step(place) {
      const { limits, id } = place.datapoint
      if (limits?.maxStepPerMinute === undefined) return undefined
      return allowance(states.get(id), limits.maxStepPerMinute, wallTime())
    },
  }
}

/** Passes readings of equipment on to the keeper. */
export function keepReadings(keeper: LimitKeeper, connections: Connections) {
  return (datapointId: string, reading: Reading) => {
    const place = connections.find(datapointId)
    if (place?.datapoint.limits && 'raw' in reading) {
      keeper.seen(place, toEngineering(reading.raw, place.datapoint.scaler))
    }
  }
}
