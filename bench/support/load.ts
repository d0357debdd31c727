import { type HttpRequest, openConnection, requestBytes } from './http.ts'
import { quantile } from './statistics.ts'

export type { HttpRequest } from './http.ts'

export interface LoadResult {
  perSecond: number
  p50Ms: number
  p99Ms: number
}

/**
 * Sends requests over keep-alive connections, each with one pending request, for a limited time. Kept minimal: on a
 * small machine the generator uses the same cores as the service.
 */
export async function load(request: HttpRequest, connections: number, seconds: number): Promise<LoadResult> {
  const bytes = requestBytes(request)
  const latencies: number[] = []
  const started = performance.now()
  const end = started + seconds * 1000

  async function send(): Promise<void> {
    const connection = await openConnection(request)
    let now = performance.now()
    while (now < end) {
      const sentAt = now
      await connection.exchange(bytes())
      now = performance.now()
      latencies.push(now - sentAt)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, send))
  const took = (performance.now() - started) / 1000
  return { perSecond: latencies.length / took, p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) }
}

/** Sends a request a number of times, as fast as the connections allow. */
export async function sendTimes(request: HttpRequest, connections: number, times: number): Promise<void> {
  const bytes = requestBytes(request)
  let left = times

  async function send(): Promise<void> {
    const connection = await openConnection(request)
    while (left > 0) {
      left -= 1
      await connection.exchange(bytes())
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, send))
}
