import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { ReplyStatus } from '@plantroom/contract/topics'

/** Commands that wait for their reply: each ends with a reply, a timeout, or when its device disconnects. */
export interface PendingReplies {
  /** Resolves with the bytes of the device's reply; rejects with a `Failure`. */
  expect(deviceId: string, correlationId: string, timeoutMs: number): Promise<Buffer>
  /** Settles the command that waits for this reply. Ignores a reply without one, or from another device. */
  arrived(deviceId: string, correlationId: string, status: ReplyStatus, payload: Buffer): void
  /** Rejects all commands to a device that disconnected. */
  abandon(deviceId: string): void
}

interface Waiting {
  resolve(payload: Buffer): void
  reject(failure: Failure): void
}

/** A device lists every mistake of a commissioning file. */
const LONGEST_REJECTION = 20_000
const MAY_HAVE_ARRIVED = 'the command may have reached it; sending it again with the same reqId is safe'

export function createPendingReplies(clock: Clock): PendingReplies {
  const devices = new Map<string, Map<string, Waiting>>()

  function waitingFor(deviceId: string): Map<string, Waiting> {
    let waiting = devices.get(deviceId)
    if (!waiting) {
      waiting = new Map()
      devices.set(deviceId, waiting)
    }
    return waiting
  }

  function take(deviceId: string, correlationId: string): Waiting | undefined {
    const waiting = devices.get(deviceId)
    const entry = waiting?.get(correlationId)
    waiting?.delete(correlationId)
    if (waiting?.size === 0) devices.delete(deviceId)
    return entry
  }

  return {
    expect(deviceId, correlationId, timeoutMs) {
      return new Promise((resolve, reject) => {
        const cancel = clock.after(timeoutMs, () => {
          const message = `the device did not answer within ${(timeoutMs / 1000).toFixed(1)} s; ${MAY_HAVE_ARRIVED}`
          take(deviceId, correlationId)?.reject(new Failure('offline', message))
        })
        waitingFor(deviceId).set(correlationId, {
          resolve(payload) {
            cancel()
            resolve(payload)
          },
          reject(failure) {
            cancel()
            reject(failure)
          },
        })
      })
    },

    arrived(deviceId, correlationId, status, payload) {
      const entry = take(deviceId, correlationId)
      if (status === 'ok') entry?.resolve(payload)
      else entry?.reject(new Failure('rejected', shown(payload.toString(), LONGEST_REJECTION)))
    },

    abandon(deviceId) {
      for (const correlationId of [...(devices.get(deviceId)?.keys() ?? [])]) {
        const message = `the device went offline before it answered; ${MAY_HAVE_ARRIVED}`
        take(deviceId, correlationId)?.reject(new Failure('offline', message))
      }
    },
  }
}
