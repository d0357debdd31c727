import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { ReplyStatus } from '@plantroom/contract/topics'

/** Commands awaiting a reply. Each ends with a reply, a timeout, or when its device disconnects. */
export interface PendingReplies {
  /** Resolves with the bytes of the device's reply; rejects with a `Failure`. */
  expect(deviceId: string, correlationId: string, timeoutMs: number): Promise<Buffer>
  /** Settles the command this reply belongs to. Ignores unexpected replies and replies from other devices. */
  settle(deviceId: string, correlationId: string, status: ReplyStatus, payload: Buffer): void
  /** Rejects all commands to a device that disconnected. */
  abandon(deviceId: string): void
}

interface PendingReply {
  resolve(payload: Buffer): void
  reject(failure: Failure): void
}

/** Enough for a device to list every error of a commissioning file. */
const MAX_REJECTION = 20_000
const MAY_HAVE_ARRIVED = 'the command may have reached it; you can safely send it again with the same reqId'

export function createPendingReplies(clock: Clock): PendingReplies {
  const devices = new Map<string, Map<string, PendingReply>>()

  function repliesOf(deviceId: string): Map<string, PendingReply> {
    let replies = devices.get(deviceId)
    if (!replies) {
      replies = new Map()
      devices.set(deviceId, replies)
    }
    return replies
  }

  function take(deviceId: string, correlationId: string): PendingReply | undefined {
    const replies = devices.get(deviceId)
    const entry = replies?.get(correlationId)
    replies?.delete(correlationId)
    if (replies?.size === 0) devices.delete(deviceId)
    return entry
  }

  return {
    expect(deviceId, correlationId, timeoutMs) {
      return new Promise((resolve, reject) => {
        const cancel = clock.after(timeoutMs, () => {
          const message = `the device did not answer within ${(timeoutMs / 1000).toFixed(1)} s; ${MAY_HAVE_ARRIVED}`
          take(deviceId, correlationId)?.reject(new Failure('offline', message))
        })
        repliesOf(deviceId).set(correlationId, {
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

    settle(deviceId, correlationId, status, payload) {
      const entry = take(deviceId, correlationId)
      if (status === 'ok') entry?.resolve(payload)
      else entry?.reject(new Failure('rejected', shown(payload.toString(), MAX_REJECTION)))
    },

    abandon(deviceId) {
      for (const correlationId of [...(devices.get(deviceId)?.keys() ?? [])]) {
        const message = `the device went offline before it answered; ${MAY_HAVE_ARRIVED}`
        take(deviceId, correlationId)?.reject(new Failure('offline', message))
      }
    },
  }
}
