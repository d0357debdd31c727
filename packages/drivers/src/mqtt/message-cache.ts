import { createPayload, type Payload, unreadable } from './codec.ts'

/** The last message on a topic. */
export interface Message {
  /** Increases with each message on any topic. */
  number: number
  /** The monotonic time since which the content is known. */
  since: number
  payload: Payload
}

/** Keeps the last message of each subscribed topic, and nothing else, however much arrives. */
export interface MessageCache {
  /** Forgets all messages: those of an earlier link say nothing about the current state. */
  clear(): void
  receive(topic: string, bytes: Uint8Array, about: { retained: boolean; now: number }): void
  /** Marks a topic on which nothing will arrive, with the reason. */
  giveUp(topic: string, reason: string): void
  latest(topic: string): Message | undefined
  /** Runs `action` at each message on the topic, until the returned function is called. */
  listen(topic: string, action: () => void): () => void
}

export function createMessageCache(topics: readonly string[]): MessageCache {
  const known = new Set(topics)
  const listeners = new Map<string, Set<() => void>>()
  const before = new Map<string, Message>()
  const messages = new Map<string, Message>()
  let number = 0

  function put(topic: string, since: number, payload: Payload): void {
    number += 1
    messages.set(topic, { number, since, payload })
    for (const action of listeners.get(topic) ?? []) action()
  }

  // A broker resends retained messages on each new link, which does not make them newer.
  function age(topic: string, payload: Payload, retained: boolean, now: number): number {
    const earlier = messages.has(topic) ? undefined : before.get(topic)
    return retained && earlier && sameBytes(earlier.payload, payload) ? earlier.since : now
  }

  return {
    clear() {
      for (const [topic, message] of messages) before.set(topic, message)
      messages.clear()
    },
    receive(topic, bytes, { retained, now }) {
      if (!known.has(topic)) return
      const payload = createPayload(bytes)
      put(topic, age(topic, payload, retained, now), payload)
    },
    giveUp: (topic, reason) => put(topic, Number.POSITIVE_INFINITY, unreadable(reason)),
    latest: (topic) => messages.get(topic),
    listen(topic, action) {
      const actions = listeners.get(topic) ?? new Set()
      listeners.set(topic, actions.add(action))
      return () => actions.delete(action)
    },
  }
}

function sameBytes({ bytes: a }: Payload, { bytes: b }: Payload): boolean {
  return a !== undefined && b !== undefined && Buffer.compare(a, b) === 0
}
