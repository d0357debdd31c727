import type { Clock } from '@plantroom/base/clock'
import type { PeakShaving, PowerLimitSettings } from '@plantroom/contract/datapoint'
import type { Direction } from '@plantroom/contract/power-limit'
import type { Connections } from '../connections/connections.ts'
import type { HourHighs } from '../optimisation/hour-highs.ts'
import type { Meter } from '../optimisation/meter.ts'
import type { TrustedMeter } from '../optimisation/trusted-meter.ts'
import type { Timekeeper } from '../overrides/timekeeper.ts'
import type { Audit } from '../reports/audit.ts'
import type { Commits } from '../store/commits.ts'
import type { PowerLimitStore } from '../store/power-limit-store.ts'
import type { Arbiter } from '../writing/arbiter.ts'
import type { Charges } from './charges.ts'
import type { Contacts } from './contacts.ts'
import type { PowerLimits } from './power-limits.ts'
import type { Side } from './side.ts'
import type { StartedLimits } from './start-limits.ts'

export interface LimiterDeps {
  limits: () => PowerLimits
  store: PowerLimitStore
  connections: Connections
  arbiter: Arbiter
  meter: Meter
  audit: Audit
  commits: Commits
  timekeeper: Timekeeper
  clock: Clock
  isMemoryLost: boolean
}

/** The most that each load may draw and supply. */
export type MovesKw = ReadonlyMap<string, number>

/** What a limiter knows. */
export interface LimiterState extends LimiterDeps {
  systemId: string | undefined
  settings: PowerLimitSettings | undefined
  /** Of the same system, where it limits the same meter. */
  peakShaving: PeakShaving | undefined
  contacts: Contacts
  charges: Charges
  trusted: TrustedMeter
  /** What the site draws without its loads. */
  highs: HourHighs
  sides: Record<Direction, Side>
  started: StartedLimits
  /** How the loads are moved as the journal has it. */
  remembered: MovesKw
  /** The limits whose start or end waits to be recorded, by `seq`. */
  readonly beingRecorded: Set<number>
  isSilent: boolean
  isStarted: boolean
  isFirstLook: boolean
  /** The monotonic time of the start, until the meter was read after it. */
  unreadSince: number | undefined
  cancel: () => void
}
