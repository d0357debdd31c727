import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { ReplyStatus } from '@plantroom/contract/topics'

/** Commands that wait for their reply: each ends by a reply, by its time limit, or with its device. */
export interface PendingReplies {
  /** Resolves with the bytes of the device's reply; rejects with a `Failure`. */
  expect(deviceId: string, correlationId: string, timeoutMs: number): Promise<Buffer>
  /** A reply came. One that nobody waits for, or from another device than was asked, is ignored. */
  arrived(deviceId: string, correlationId: string, status: ReplyStatus, payload: Buffer): void
  /** This device is gone: nobody has to wait for it any longer. */
  abandon(deviceId: string): void
}

interface Waiting {
  deviceId: string
  resolve(payload: Buffer): void
  reject(failure: Failure): void
}

const MAY_HAVE_ARRIVED = 'the command may have reached it; sending it again with the same reqId is safe'

export function createPendingReplies(clock: Clock): PendingReplies {
  const waiting = new Map<string, Waiting>()
  const byDevice = new Map<string, Set<string>>()

  function take(correlationId: string, deviceId: string): Waiting | undefined {
    const entry = waiting.get(correlationId)
    if (entry?.deviceId !== deviceId) return undefined
    waiting.delete(correlationId)
    const siblings = byDevice.get(deviceId)
    siblings?.delete(correlationId)
    if (siblings?.size === 0) byDevice.delete(deviceId)
    return entry
  }

  return {
    expect(deviceId, correlationId, timeoutMs) {
      return new Promise((resolve, reject) => {
        const cancel = clock.after(timeoutMs, () => {
          const message = `the device did not answer within ${(timeoutMs / 1000).toFixed(1)} s; ${MAY_HAVE_ARRIVED}`
          take(correlationId, deviceId)?.reject(new Failure('offline', message))
        })
        waiting.set(correlationId, {
          deviceId,
          resolve(payload) {
            cancel()
            resolve(payload)
          },
          reject(failure) {
            cancel()
            reject(failure)
          },
        })
        const siblings = byDevice.get(deviceId)
        if (siblings) siblings.add(correlationId)
        else byDevice.set(deviceId, new Set([correlationId]))
      })
    },

    arrived(deviceId, correlationId, status, payload) {
      const entry = take(correlationId, deviceId)
      if (status === 'ok') entry?.resolve(payload)
      else entry?.reject(new Failure('rejected', payload.toString()))
    },

    abandon(deviceId) {
      for (const correlationId of [...(byDevice.get(deviceId) ?? [])]) {
        const message = `the device went offline before it answered; ${MAY_HAVE_ARRIVED}`
        take(correlationId, deviceId)?.reject(new Failure('offline', message))
      }
    },
  }
}
