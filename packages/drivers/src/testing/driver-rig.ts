import { Failure } from '@plantroom/contract/failure'
import { eventually } from '@plantroom/testkit/eventually'
import { expect, onTestFinished } from 'vitest'
import type { Driver, Raw, Reading } from '../driver.ts'
import type { CountingListener } from './counting-listener.ts'
import type { TargetsRig } from './targets-contract.ts'

/**
 * A driver that is not open yet, and the equipment it is commissioned for.
 *
 * Time passes whenever the driver waits for something that does not come: either the clock is the system's and the
 * settings have short timeouts, or the rig moves the clock after `silence` and `drop`.
 */
export interface DriverRig {
  driver: Driver
  /** The listener that was passed to the driver. */
  events: CountingListener
  /** True for a link that stays open between requests and whose loss is noticed immediately. */
  hasLink: boolean
  /** Two readable and writable numbers that can hold 7, 8, 11 and 22. */
  points: readonly [string, string]
  readOnly: string
  /** A commissioned point that the equipment does not have. */
  missing: string | undefined
  /** Returns the value at the equipment, bypassing the driver. */
  at(pointId: string): Promise<Raw>
  /** Changes a value at the equipment. */
  set(pointId: string, raw: number): Promise<void>
  /** Makes the link go dead without closing it, including links that are opened later. */
  silence(): Promise<void>
  /** Makes the equipment close the link and refuse new ones. */
  drop(): Promise<void>
  /** Ends `silence` and `drop`. The equipment keeps its values. */
  heal(): Promise<void>
  /** Returns the number of open links, if the equipment can count them. */
  links?(): number
  /**
   * Makes the equipment hold something at the point that no raw value restores, for example NaN. The returned function
   * resolves to true while the equipment holds exactly that.
   */
  setExact?(pointId: string): Promise<() => Promise<boolean>>
  /** A `WRITE` point whose address is readable; `at` and `set` accept it. */
  writeOnly?: string
  /** A writable point for whole numbers beyond 2^53, where a `number` cannot be exact. */
  wholeNumbers?: string
  /**
   * Withholds the answer to the next request for the first point, so that later requests queue up. `written` returns the
   * ids of the points in the order in which the equipment received writes.
   */
  stall?(): Promise<{ resume(): void; written(): readonly string[] }>
  /**
   * Makes the equipment carry out writes without announcing its new state from now on; it still answers questions. The
   * returned function ends the driver's wait for an announcement. Missing for equipment that announces nothing anyway.
   */
  mute?(): Promise<() => void>
  /** The value that the points fall back to when they are relinquished, if the driver has `relinquish`. */
  fallback?: Raw
  targets?: TargetsRig
  close(): Promise<void>
}

export const never = new AbortController().signal

export const ONE_LINE = /^.+$/

const failureOf = (kind: Failure['kind']) =>
  expect.toSatisfy((thrown) => thrown instanceof Failure && thrown.kind === kind && ONE_LINE.test(thrown.message))

/** Matchers for a `Failure` of one kind with a one-line message. */
export const REJECTED = failureOf('rejected')
export const OFFLINE = failureOf('offline')
export const CONFLICT = failureOf('conflict')

/** Makes a rig whose points hold 11 and 22, and closes it when the test ends. */
export async function startRig(make: () => Promise<DriverRig>): Promise<DriverRig> {
  const rig = await make()
  onTestFinished(async () => {
    await rig.driver.close()
    await rig.close()
  })
  const [a, b] = rig.points
  await rig.set(a, 11)
  await rig.set(b, 22)
  return rig
}

/** Opens the driver and waits until it has read both points: some equipment publishes its state a moment later. */
export async function openRig(make: () => Promise<DriverRig>): Promise<DriverRig> {
  const rig = await startRig(make)
  await rig.driver.open(never)
  await expectReadings(rig, { raw: 11 }, { raw: 22 })
  // The driver may have tried several kinds of request to find one that the equipment accepts.
  rig.events.exceptions = 0
  return rig
}

export const expectReadings = ({ driver, points }: DriverRig, ...readings: Reading[]) =>
  eventually(async () => expect(await driver.read(points)).toEqual(readings))

/** Reopens the driver until a read succeeds, as the edge does, and returns the readings. */
export const reopen = ({ driver, points }: DriverRig) =>
  eventually(async () => {
    await driver.open(never)
    const readings = await driver.read(points)
    expect(readings.every((reading) => 'raw' in reading)).toBe(true)
    return readings
  })
