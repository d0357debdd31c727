import { hearService } from '../service-clock.ts'

/** Then the connection of a read may be dead. A slow network begins to answer before. */
const BEGINS_WITHIN_MS = 20_000
/** The next read of a page begins sooner after the last one. */
const PAUSE_MS = 250
const PATIENCE_MS = 10_000

let reads = 0
let lastRead = 0
/** Replies that no query has asked for yet. */
const early = new Map<string, Promise<Response>>()

/** Fetches a reply. A read whose reply does not begin in time fails, and its query is tried again. */
export async function fetchInTime(url: string, init: RequestInit): Promise<Response> {
  // A removal or the end of a session is carried out although the page closes at once.
  if (init.method !== 'GET') return heard(await fetch(url, { ...init, keepalive: init.method === 'DELETE' }))
  const overdue = new AbortController()
  const timer = setTimeout(() => overdue.abort(), BEGINS_WITHIN_MS)
  const begun = early.get(url)
  early.delete(url)
  reads += 1
  try {
    return await (begun ?? fetch(url, { ...init, signal: overdue.signal }).then(heard))
  } finally {
    clearTimeout(timer)
    reads -= 1
    lastRead = performance.now()
  }
}

/** Begins a read before its query does, which then gets the reply. Resolves with its content; `undefined` if it failed. */
export async function readEarly<Reply>(url: string): Promise<Reply | undefined> {
  const reply = fetchInTime(url, { method: 'GET' })
  const copy = reply.then((got) => got.clone())
  early.set(url, reply)
  try {
    const got = await copy
    return got.ok ? ((await got.json()) as Reply) : undefined
  } catch {
    return undefined
  }
}

/** Forgets early reads that no query has asked for: they would be old, or of another person. */
export const forgetEarlyReads = (): void => early.clear()

function heard(reply: Response): Response {
  hearService(reply.headers)
  return reply
}

/** Resolves when the page has read what it shows first: what nobody needs yet must not delay that. */
export function readsSettled(): Promise<void> {
  const began = performance.now()
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now()
      const isQuiet = reads === 0 && now - Math.max(lastRead, began) >= PAUSE_MS
      if (!isQuiet && now - began < PATIENCE_MS) return
      clearInterval(timer)
      resolve()
    }, 50)
  })
}
