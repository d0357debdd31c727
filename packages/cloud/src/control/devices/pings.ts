import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { PING, topics } from '@plantroom/contract/topics'
import type { DeviceBus } from '../../platform/broker/index.ts'
import type { Presence } from './presence.ts'

/** Distinct from the correlation ids of commands, which have no dash. */
export const PING_CORRELATION = 'ping-1'
const ATTEMPTS = 2
/** 4,000 devices a second. */
const AT_ONCE = 400
const BETWEEN_MS = 100
/** When a timer is this late, the answers of devices wait to be read. */
const STALL_MS = 1_000

/** Finds out which devices answer. */
export interface Pings {
  heard(deviceId: string): void
  heardSince(deviceId: string, time: number): boolean
  /** Asks these devices twice, and marks those as silent that say nothing. */
  verify(deviceIds: readonly string[], answerMs: number, signal: AbortSignal): Promise<void>
}

export function createPings(
  deps: { bus: Pick<DeviceBus, 'send'>; presence: Presence; cloudId: string; clock: Clock; log: Log },
  /** Resolves after everything that the broker has for us at this moment has arrived. */
  catchUp: (deviceIds: readonly string[]) => Promise<void>,
): Pings {
  const { bus, presence, cloudId, clock, log } = deps
  const heardAt = new Map<string, number>()
  const heardSince = (deviceId: string, time: number) => (heardAt.get(deviceId) ?? Number.NEGATIVE_INFINITY) >= time

  /** Returns the devices that did not answer. */
  async function ask(deviceIds: readonly string[], answerMs: number, signal: AbortSignal): Promise<readonly string[]> {
    let silent = deviceIds
    for (let attempt = 0; attempt < ATTEMPTS && silent.length > 0 && !signal.aborted; attempt += 1) {
      const sentAt = clock.monotonic()
      const payload = Buffer.from(JSON.stringify({ reqId: '', keyId: '', deadline: clock.now() + answerMs, data: {} }))
      for (const deviceId of silent) {
        bus.send(deviceId, topics.command(deviceId, PING, cloudId, PING_CORRELATION), payload)
      }
      await sleep(clock, answerMs, signal)
      if (clock.monotonic() - sentAt > answerMs + STALL_MS) attempt -= 1
      await catchUp(silent.slice(0, 1))
      silent = silent.filter((deviceId) => !heardSince(deviceId, sentAt))
    }
    return silent
  }

  async function askChunk(deviceIds: readonly string[], answerMs: number, signal: AbortSignal): Promise<void> {
    const silent = await ask(deviceIds, answerMs, signal)
    if (signal.aborted) return
    const ghosts = silent.filter(presence.isOnline)
    for (const deviceId of ghosts) presence.silence(deviceId)
    if (ghosts.length > 0) {
      log.info({ count: ghosts.length, first: ghosts[0] }, 'devices with the status online do not answer: offline')
    }
  }

  return {
    heard: (deviceId) => void heardAt.set(deviceId, clock.monotonic()),
    heardSince,
    async verify(deviceIds, answerMs, signal) {
      const chunks: Promise<void>[] = []
      for (let from = 0; from < deviceIds.length && !signal.aborted; from += AT_ONCE) {
        if (from > 0) await sleep(clock, BETWEEN_MS, signal)
        chunks.push(askChunk(deviceIds.slice(from, from + AT_ONCE), answerMs, signal))
      }
      await Promise.all(chunks)
    },
  }
}
