import { type Clock, sleep } from '@plantroom/base/clock'
import { topics } from '@plantroom/contract/topics'
import type { MqttClient } from 'mqtt'

/** Long enough for a broker under load; short enough for one that never answers. */
const PROBE_MS = 2_000
/** A broker may deliver the two messages of a probe in either order, but not far apart. */
const APART_MS = 250

/** The filter of a subscription whose messages the broker gives to one of its subscribers. */
export const shared = (filter: string, group: string) => `$share/${group}/${filter}`

/** Finds out whether a broker has shared subscriptions. */
export interface SharingProbe {
  /** Some brokers accept the filter and deliver nothing, so only a message that arrives proves it. */
  ask(client: MqttClient): Promise<boolean>
  /** Returns whether this message is part of the probe. */
  receive(topic: string): boolean
}

export function createSharingProbe(deps: { cloudId: string; batchGroup: string; clock: Clock }): SharingProbe {
  const { cloudId, batchGroup, clock } = deps
  const [question, control] = [topics.cloudProbe(cloudId, 'question'), topics.cloudProbe(cloudId, 'control')]
  let arrived: Record<string, () => void> = {}
  const arrivalOf = (topic: string) =>
    new Promise<void>((resolve) => {
      arrived[topic] = resolve
    })

  return {
    async ask(client) {
      arrived = {}
      const [answered, controlled] = [arrivalOf(question), arrivalOf(control)]
      const end = new AbortController()
      const filters = [shared(question, batchGroup), control]
      try {
        await client.subscribeAsync(filters, { qos: 0 })
        for (const topic of [question, control]) client.publish(topic, '', { qos: 0 })
        return await Promise.race([
          answered.then(() => true),
          controlled.then(() => sleep(clock, APART_MS, end.signal)).then(() => false),
          sleep(clock, PROBE_MS, end.signal).then(() => false),
        ])
      } catch {
        // Refused.
        return false
      } finally {
        end.abort()
        client.unsubscribe(filters, () => {})
      }
    },
    receive(topic) {
      if (topic !== question && topic !== control) return false
      arrived[topic]?.()
      return true
    },
  }
}
