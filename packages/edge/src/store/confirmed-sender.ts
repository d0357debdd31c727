import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'

const CONFIRMED_WITHIN_MS = 10_000

/** The way to the cloud, while there is one. */
export interface Uplink {
  readonly connected: boolean
  publish(topic: string, payload: string, qos: 0 | 1): void
}

/** What is kept until the cloud has confirmed it. Both may throw: it is tried again later. */
export interface Outbox {
  /** The oldest that is not forgotten yet. No two batches that differ have the same `upTo`. */
  nextBatch(): { upTo: number; payload: string } | undefined
  forget(upTo: number): void
}

/**
 * Sends what an outbox holds, in order: one batch at a time, the same one again until it is confirmed. None of its
 * calls throws.
 */
export interface ConfirmedSender {
  /** There is something new in the outbox. */
  changed(): void
  /** The uplink is there, or there anew: what was on its way may be lost. */
  connected(): void
  /** The cloud has stored the batch of this name. */
  confirmed(upTo: number): void
  close(): void
}

export function createConfirmedSender(deps: {
  outbox: Outbox
  uplink: Uplink
  topic: string
  clock: Clock
  log: Log
  /** So long more is gathered after a batch was confirmed: a busy device sends few large ones instead of many small. */
  restMs?: number
}): ConfirmedSender {
  const { outbox, uplink, topic, clock, log, restMs = 0 } = deps
  let inFlight: ReturnType<Outbox['nextBatch']>
  let cancelWait: (() => void) | undefined
  let closed = false

  function endWait(): void {
    cancelWait?.()
    cancelWait = undefined
  }

  function waitThenSend(ms = CONFIRMED_WITHIN_MS): void {
    endWait()
    cancelWait = clock.after(ms, send)
  }

  function send(): void {
    endWait()
    if (closed || !uplink.connected) return
    try {
      inFlight ??= outbox.nextBatch()
      if (!inFlight) return
      waitThenSend()
      uplink.publish(topic, inFlight.payload, 1)
    } catch (error) {
      waitThenSend()
      log.error({ topic, error: message(error) }, 'cannot be sent to the cloud now')
    }
  }

  return {
    changed() {
      if (!cancelWait) send()
    },
    connected: send,
    confirmed(upTo) {
      // Only the batch in flight: a late word about an earlier one says nothing about what was added since.
      if (closed || inFlight?.upTo !== upTo) return
      try {
        outbox.forget(upTo)
      } catch (error) {
        // It stays in flight, is sent and confirmed again, and this is tried again then.
        return log.error({ topic, error: message(error) }, 'what the cloud has confirmed cannot be forgotten now')
      }
      inFlight = undefined
      if (restMs > 0) waitThenSend(restMs)
      else send()
    },
    close() {
      closed = true
      endWait()
    },
  }
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
