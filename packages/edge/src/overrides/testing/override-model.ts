/** A window as the model knows it: no trees, no state but what a person would write on a list. */
interface ModelWindow {
  id: string
  datapointId: string
  value: number
  from: number
  to: number
  /** The monotonic time at which it ends at the latest, once its time has come. */
  until?: number
  over: boolean
}

export interface Time {
  wall: number
  monotonic: number
}

/** What must be true of the overrides of a device, as simply as it can be said. */
export interface OverrideModel {
  readonly windows: readonly ModelWindow[]
  accepted(window: Omit<ModelWindow, 'over'>): void
  cancelled(id: string): void
  /** Looks at the time: at every moment at which a device would have to. */
  look(now: Time): void
  /** A start: how long a window may still be held is reckoned anew. */
  restarted(now: Time): void
  /** Of the windows that cover now, the one accepted last. */
  ruling(datapointId: string): ModelWindow | undefined
}

export function createOverrideModel(): OverrideModel {
  const windows: ModelWindow[] = []

  function look({ wall, monotonic }: Time): void {
    for (const window of windows) {
      if (window.over) continue
      if (window.until === undefined && window.from <= wall) window.until = monotonic + (window.to - wall)
      if (window.until !== undefined && (window.to <= wall || window.until <= monotonic)) window.over = true
    }
  }

  return {
    windows,
    accepted: (window) => void windows.push({ ...window, over: false }),
    cancelled(id) {
      for (const window of windows) if (window.id === id) window.over = true
    },
    look,
    restarted(now) {
      for (const window of windows) delete window.until
      look(now)
    },
    ruling: (datapointId) =>
      windows.findLast((window) => window.datapointId === datapointId && window.until !== undefined && !window.over),
  }
}
