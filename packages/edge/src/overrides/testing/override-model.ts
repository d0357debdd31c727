/** An override as the model knows it: no trees, no more state than a person would write on a list. */
interface ModelOverride {
  id: string
  datapointId: string
  value: number
  from: number
  to: number
  /** Once started: the monotonic time at which it ends at the latest. */
  until?: number
  over: boolean
}

export interface Time {
  wall: number
  monotonic: number
}

/** A specification of the overrides of a device, as simple as possible. */
export interface OverrideModel {
  readonly overrides: readonly ModelOverride[]
  accepted(override: Omit<ModelOverride, 'over'>): void
  cancelled(id: string): void
  /** Starts and ends overrides by the time. Call it whenever a device would have to. */
  look(now: Time): void
  /** Recomputes how long each override may still run, as a start does. */
  restarted(now: Time): void
  /** Returns the started override that was accepted last. */
  active(datapointId: string): ModelOverride | undefined
}

export function createOverrideModel(): OverrideModel {
  const overrides: ModelOverride[] = []

  function look({ wall, monotonic }: Time): void {
    for (const override of overrides) {
      if (override.over) continue
      if (override.until === undefined && override.from <= wall) override.until = monotonic + (override.to - wall)
      if (override.until !== undefined && (override.to <= wall || override.until <= monotonic)) override.over = true
    }
  }

  return {
    overrides,
    accepted: (override) => void overrides.push({ ...override, over: false }),
    cancelled(id) {
      for (const override of overrides) if (override.id === id) override.over = true
    },
    look,
    restarted(now) {
      for (const override of overrides) delete override.until
      look(now)
    },
    active: (datapointId) =>
      overrides.findLast(
        (override) => override.datapointId === datapointId && override.until !== undefined && !override.over,
      ),
  }
}
