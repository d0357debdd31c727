import { Failure } from '@plantroom/contract/failure'
import type { Reading } from '../driver.ts'
import type { SunspecPoint } from './config.ts'
import { timersOf } from './controls.ts'
import { NOT_IMPLEMENTED } from './values.ts'

interface TimerDeps {
  points: readonly SunspecPoint[]
  /** What timers are armed with; 0 for never. */
  seconds: number
  /** Reads a timer; `undefined` if the device has none. */
  read(timer: SunspecPoint): Promise<Reading | undefined>
  write(timer: SunspecPoint, seconds: number, stillWanted?: () => boolean): Promise<unknown>
  /** The monotonic time. */
  now(): number
}

/** The timers with which a device ends its controls by itself when nobody renews them. */
export interface RevertTimers {
  /** The timers that the points of the connection have. */
  readonly timers: Iterable<SunspecPoint>
  /** Returns the seconds after which the device reverts; `undefined` for a point without a timer. */
  arm(point: SunspecPoint): Promise<number | undefined>
  disarm(point: SunspecPoint): Promise<void>
}

export function createRevertTimers({ points, seconds, read, write, now }: TimerDeps): RevertTimers {
  const timers = seconds === 0 ? new Map<SunspecPoint, SunspecPoint>() : timersOf(points)
  /** The points that each timer is armed for, and when it was. */
  const armed = new Map<SunspecPoint, Map<SunspecPoint, number>>(
    [...timers.values()].map((timer) => [timer, new Map()]),
  )

  /** Returns what the timer shows; `undefined` if the device has none. */
  async function shown(timer: SunspecPoint): Promise<number | undefined> {
    const reading = await read(timer)
    if (!reading || ('error' in reading && reading.error === NOT_IMPLEMENTED)) return undefined
    if ('raw' in reading) return Number(reading.raw)
    throw new Failure('offline', `the reversion timer ${timer.path} cannot be read: ${reading.error}`)
  }

  return {
    timers: armed.keys(),
    async arm(point) {
      const timer = timers.get(point)
      const users = timer && armed.get(timer)
      if (!timer || !users) return undefined
      users.set(point, now())
      if ((await shown(timer)) === undefined) return undefined
      // A release that began meanwhile has disarmed the timer, or is about to.
      const stillWanted = () => users.has(point)
      await write(timer, seconds, stillWanted).catch((failure) => {
        throw failure instanceof Failure && failure.kind === 'rejected' ? refused(failure.message) : failure
      })
      const kept = await shown(timer)
      if (!kept) throw refused(`${timer.path}: the device acknowledged ${seconds} s but shows ${kept}`)
      return Math.min(seconds, kept)
    },
    async disarm(point) {
      const timer = timers.get(point)
      const users = timer && armed.get(timer)
      if (!timer || !users) return
      users.delete(point)
      const isShared = [...users.values()].some((at) => now() - at < seconds * 1000)
      if (isShared || !(await shown(timer))) return
      await write(timer, 0)
      const left = await shown(timer)
      if (left) throw new Failure('offline', `the reversion timer ${timer.path} still shows ${left} s`)
    },
  }
}

const refused = (reason: string) =>
  new Failure('rejected', `the reversion timer cannot be set: ${reason}; set revertSeconds: 0 to do without it`)
