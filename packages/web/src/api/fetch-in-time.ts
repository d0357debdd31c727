import { hearService } from '../service-clock.ts'

/** Then the connection of a read may be dead. A slow network begins to answer before. */
const BEGINS_WITHIN_MS = 20_000
/** The next read of a page begins sooner after the last one. */
const PAUSE_MS = 250
const PATIENCE_MS = 10_000

let reads = 0
let lastRead = 0

/** Fetches a reply. A read whose reply does not begin in time fails, and its query is tried again. */
export async function fetchInTime(url: string, init: RequestInit): Promise<Response> {
  if (init.method !== 'GET') return heard(await fetch(url, init))
  const overdue = new AbortController()
  const timer = setTimeout(() => overdue.abort(), BEGINS_WITHIN_MS)
  reads += 1
  try {
    return heard(await fetch(url, { ...init, signal: overdue.signal }))
  } finally {
    clearTimeout(timer)
    reads -= 1
    lastRead = performance.now()
  }
}

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
