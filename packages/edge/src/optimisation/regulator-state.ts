/** A load that the regulator may move. Power that it draws is positive, and power that it supplies negative. */
export type RegulatedLoad = ModulatingLoad | SwitchingLoad

export interface ModulatingLoad {
  id: string
  kind: 'modulating'
  /** Of its kind, the load with the lowest number is moved first. */
  priority: number
  minKw: number
  maxKw: number
  /** What it stores, where that is known: no more of it can be planned with. */
  stored?: StoredEnergy
}

/** The energy that a load can still supply, and still take up. */
export interface StoredEnergy {
  supplyKwh: number
  drawKwh: number
}

export interface SwitchingLoad {
  id: string
  kind: 'switching'
  priority: number
  /** What it draws while it runs. When missing, one load is stopped or resumed at a time. */
  ratedKw?: number
  minOnSeconds: number
  minOffSeconds: number
}

export type LoadSeen = RegulatedLoad & {
  /** What it would draw without a bound; 0 for a switching load that is off. */
  wantedKw: number
  /** Whether a writer holds it, so that it does not start by itself. */
  isHeld: boolean
  /** Set when it must not be moved. Its minimum times count from then on. */
  isPassedOver?: boolean
}

/** What the regulator remembers from one step to the next. Times are monotonic milliseconds. Immutable. */
export interface RegulatorState {
  loads: ReadonlyMap<string, LoadState>
  /** The last change, until readings show its effect. */
  acted?: { at: number /** More than this has another cause. */; expectedKw: number; asked?: Asked }
  /** How many readings in a row asked for loads to be stopped. */
  above: number
  /** When the last reading was taken. */
  readAt?: number
}

/** What loads were asked to supply in addition by steps that followed each other, and the reading before them. */
export interface Asked {
  ids: ReadonlySet<string>
  kw: number
  fromKw: number
}

export interface LoadState {
  /** The most that it may draw. A switching load may draw anything, or nothing. */
  atMostKw: number
  /** When a switching load was last stopped or resumed. */
  since: number
  /** How often in a row it had to stop soon after it was resumed; -1 before it first stopped. */
  relapses: number
  /** Until when nothing is planned with it, because it did not follow. */
  doubtedUntil?: number
}

/** The input of one step. */
export interface Seen {
  loads: readonly LoadSeen[]
  /** A fresh reading, and the monotonic time at which it was taken. Without one nothing moves. */
  meter: { kw: number; at: number } | undefined
  ceiling: Ceiling
  /** Room that loads do not get, so that they do not come and go. */
  hysteresisKw: number
  /** How many readings in a row must ask for it before loads are stopped. */
  patience: number
  /** The highest power of everything else at this hour in the last week. Missing while it is not known. */
  highestKw?: number | undefined
}

/** What the site may draw. */
export interface Ceiling {
  /** On average for the rest of this interval, how long that is, and the average after it. */
  allowedKw: number
  leftSeconds: number
  laterKw: number
  /** At any moment. Where it is not above `allowedKw`, nothing can be made up for later. */
  peakKw: number
}

export const NOTHING_MOVED: RegulatorState = { loads: new Map(), above: 0 }
