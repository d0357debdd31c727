import type { Log } from '@plantroom/base/log'
import { type Confirmed, topics } from '@plantroom/contract/topics'
import type { DeviceBus } from './device-bus.ts'

/** Of one device, besides the one that is being kept. */
const WAITING_BATCHES = 3
/** Of all devices: after an outage they all send at once. */
const WAITING_BYTES = 64 * 1024 * 1024
/** Each takes a connection to the database while it is kept: a few at a time, or nobody else gets one. */
const AT_ONCE = 4

const NOTHING = Buffer.alloc(0)

/** What a batch comes down to. */
export interface Judged<Kept> {
  kept: Kept
  /** What its confirmation names. */
  upTo: number
  /** What is wrong with what is not kept: sent again it would be no better, so it must not hold up the rest. */
  leftOut: readonly string[]
}

export interface Intake {
  receive(deviceId: string, payload: Buffer): void
  /** Resolves when nothing is being kept any more. What still waits is sent again by its device. */
  close(): Promise<void>
}

/**
 * Takes in what devices send until it is confirmed. The batches of a device are kept in their order, and each is
 * confirmed when `keep` has resolved, not before. What cannot be kept is not confirmed, nor is what waits behind it:
 * a device begins again with the oldest that it still has.
 */
export function createIntake<Kept>(deps: {
  what: Confirmed
  bus: Pick<DeviceBus, 'send'>
  log: Log
  /** `undefined` when it is no batch at all. */
  judge(deviceId: string, batch: unknown): Judged<Kept> | undefined
  keep(deviceId: string, kept: Kept): Promise<void>
}): Intake {
  const { what, bus, log, judge, keep } = deps
  const waiting = new Map<string, Buffer[]>()
  const underWay = new Map<string, Promise<void>>()
  let waitingBytes = 0
  let closed = false

  /** The device that has waited longest and of which nothing is under way. */
  function nextDevice(): string | undefined {
    for (const deviceId of waiting.keys()) if (!underWay.has(deviceId)) return deviceId
    return undefined
  }

  function start(): void {
    while (underWay.size < AT_ONCE) {
      const deviceId = nextDevice()
      if (deviceId === undefined) return
      const [payload = NOTHING, ...rest] = waiting.get(deviceId) ?? []
      waitingBytes -= payload.length
      // To the end of the line: a device that sends a lot does not keep the others waiting.
      waiting.delete(deviceId)
      if (rest.length > 0) waiting.set(deviceId, rest)
      underWay.set(
        deviceId,
        take(deviceId, payload).then(() => {
          underWay.delete(deviceId)
          start()
        }),
      )
    }
  }

  async function take(deviceId: string, payload: Buffer): Promise<void> {
    try {
      const judged = judge(deviceId, parse(payload))
      if (!judged) return log.warn({ device: deviceId, what }, 'a device sent something that is no batch')
      const { kept, upTo, leftOut } = judged
      if (leftOut.length > 0) {
        log.warn({ device: deviceId, what, count: leftOut.length, first: leftOut[0] }, 'left out of a batch')
      }
      await keep(deviceId, kept)
      bus.send(deviceId, topics.confirm(deviceId, what, upTo), NOTHING)
    } catch (error) {
      forget(deviceId)
      const reason = error instanceof Error ? error.message : String(error)
      log.error({ device: deviceId, what, error: reason }, 'a batch could not be kept; its device sends it again')
    }
  }

  function forget(deviceId: string): void {
    for (const payload of waiting.get(deviceId) ?? []) waitingBytes -= payload.length
    waiting.delete(deviceId)
  }

  return {
    receive(deviceId, payload) {
      const before = waiting.get(deviceId) ?? []
      const tooMany = before.length >= WAITING_BATCHES || waitingBytes + payload.length > WAITING_BYTES
      if (closed || tooMany) return log.debug({ device: deviceId, what }, 'too busy for a batch of a device')
      waitingBytes += payload.length
      waiting.set(deviceId, [...before, payload])
      start()
    },
    async close() {
      closed = true
      waiting.clear()
      await Promise.all(underWay.values())
    },
  }
}

function parse(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString())
  } catch {
    return undefined
  }
}
