import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'

const CONFIRMED_WITHIN_MS = 10_000

/** The link to the cloud, as senders see it. */
export interface Uplink {
  readonly connected: boolean
  publish(topic: string, payload: string, qos: 0 | 1): void
}

/** Keeps messages until the cloud confirms them. Both calls may throw; the sender retries later. */
export interface Outbox {
  /** Returns the oldest messages. Two different batches never have the same `upTo`. */
  nextBatch(): { upTo: number; payload: string } | undefined
  forget(upTo: number): void
}

/**
 * Sends the messages of an outbox in order, one batch at a time, and repeats each batch until the cloud confirms it.
 * None of its calls throws.
 */
export interface ConfirmedSender {
  /** Call when the outbox has something new. */
  changed(): void
  /** Call when the uplink is up, for the first time or again: messages in flight may be lost. */
  connected(): void
  /** Call when the cloud has stored the batch that ends at `upTo`. */
  confirmed(upTo: number): void
  close(): void
}

export function createConfirmedSender(deps: {
  outbox: Outbox
  uplink: Uplink
  topic: string
  clock: Clock
  log: Log
  /** How long to collect messages after a batch is confirmed, so that a busy device sends few large batches. */
  restMs?: number
}): ConfirmedSender {
  const { outbox, uplink, topic, clock, log, restMs = 0 } = deps
  let inFlight: ReturnType<Outbox['nextBatch']>
  let cancelPending: (() => void) | undefined
  let closed = false

  function cancelTimer(): void {
    cancelPending?.()
    cancelPending = undefined
  }

  function waitThenSend(ms = CONFIRMED_WITHIN_MS): void {
    cancelTimer()
    cancelPending = clock.after(ms, send)
  }

  function send(): void {
    cancelTimer()
    if (closed || !uplink.connected) return
    try {
      inFlight ??= outbox.nextBatch()
      if (!inFlight) return
      waitThenSend()
      uplink.publish(topic, inFlight.payload, 1)
    } catch (error) {
      waitThenSend()
      log.error({ topic, error: message(error) }, 'could not send to the cloud; retrying')
    }
  }

  return {
    changed() {
      if (!cancelPending) send()
    },
    connected: send,
    confirmed(upTo) {
      // A late confirmation of an earlier batch says nothing about the one in flight.
      if (closed || inFlight?.upTo !== upTo) return
      try {
        outbox.forget(upTo)
      } catch (error) {
        // The batch stays in flight, so it is sent and confirmed again, which repeats this.
        return log.error({ topic, error: message(error) }, 'could not delete what the cloud has confirmed; retrying')
      }
      inFlight = undefined
      if (restMs > 0) waitThenSend(restMs)
      else send()
    },
    close() {
      closed = true
      cancelTimer()
    },
  }
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
