import type { Driver, Raw } from '../driver.ts'
import type { CountingListener } from './counting-listener.ts'
import type { TargetsRig } from './targets-contract.ts'

/**
 * A driver that is not open yet, and the equipment that it was commissioned for.
 *
 * Time passes whenever the driver waits for something that does not come: the clock is the system's, with short limits
 * in the settings, or one that the rig moves from `silence` or `drop` on.
 */
export interface DriverRig {
  driver: Driver
  /** The listener that the driver was made with. */
  told: CountingListener
  /** True for a link that stands between questions, and whose end is seen immediately. */
  hasLink: boolean
  /** Two that can be read and written, hold numbers, and take 7 and 8 as well as 11 and 22. */
  points: readonly [string, string]
  readOnly: string
  /** Commissioned, but absent at the equipment. */
  missing: string | undefined
  /** What the equipment holds, asked of the equipment and not of the driver. */
  at(pointId: string): Promise<Raw>
  /** Changes a value at the equipment. */
  set(pointId: string, raw: number): Promise<void>
  /** The link goes dead without a word, also for one that is opened then. */
  silence(): Promise<void>
  /** The equipment ends the link and takes no new one. */
  drop(): Promise<void>
  /** Ends `silence` and `drop`. The equipment keeps its values. */
  heal(): Promise<void>
  /** How many links of the driver stand, where the equipment can count them. */
  links?(): number
  /**
   * Makes the equipment hold something at the first point that no raw value restores, for example NaN. The returned
   * function resolves to true while the equipment holds exactly this.
   */
  setExact?(pointId: string): Promise<() => Promise<boolean>>
  /** Commissioned as `WRITE`, at an address that can be read; `at` and `set` know it. */
  writeOnly?: string
  /** A writable point that holds whole numbers beyond 2^53, where a raw number cannot be exact. */
  wholeNumbers?: string
  /**
   * Holds back the answer to the next question about the first point, so that later ones wait. The returned function
   * ends this; `written` then has the ids of the points in the order in which the equipment was asked to write them.
   */
  holdBack?(): Promise<{ letGo(): void; written(): readonly string[] }>
  targets?: TargetsRig
  close(): Promise<void>
}
