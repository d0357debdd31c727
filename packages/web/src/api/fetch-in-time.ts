import { hearService } from '../service-clock.ts'

/** Then the connection of a read may be dead. A slow network begins to answer before. */
const BEGINS_WITHIN_MS = 20_000

/** Fetches a reply. A read whose reply does not begin in time fails, and its query is tried again. */
export async function fetchInTime(url: string, init: RequestInit): Promise<Response> {
  const overdue = new AbortController()
  const timer = init.method === 'GET' ? setTimeout(() => overdue.abort(), BEGINS_WITHIN_MS) : undefined
  try {
    const reply = await fetch(url, { ...init, signal: overdue.signal })
    hearService(reply.headers)
    return reply
  } finally {
    clearTimeout(timer)
  }
}
