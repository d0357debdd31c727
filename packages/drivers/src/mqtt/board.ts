import { createPayload, type Payload, unreadable } from './codec.ts'

/** The last message of a topic. */
export interface Message {
  /** Grows from one message to the next, whatever their topics. */
  number: number
  /** By the monotonic clock. */
  since: number
  payload: Payload
}

/** The last message of each topic that is listened to, and no other: however much is sent, no more is kept. */
export interface Board {
  /** The link is new: what was heard before says nothing about now. */
  clear(): void
  post(topic: string, bytes: Uint8Array, about: { retained: boolean; now: number }): void
  /** The topic will stay silent, and why. */
  giveUp(topic: string, reason: string): void
  latest(topic: string): Message | undefined
  /** Runs `action` at each message of the topic; the returned function ends it. */
  listen(topic: string, action: () => void): () => void
}

export function createBoard(topics: readonly string[]): Board {
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

  // A broker hands a retained message out again at each new link. It is no younger for that.
  function age(topic: string, payload: Payload, retained: boolean, now: number): number {
    const earlier = messages.has(topic) ? undefined : before.get(topic)
    return retained && earlier && sameBytes(earlier.payload, payload) ? earlier.since : now
  }

  return {
    clear() {
      for (const [topic, message] of messages) before.set(topic, message)
      messages.clear()
    },
    post(topic, bytes, { retained, now }) {
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
