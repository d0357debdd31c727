import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isRunning } from './checks.ts'

const ANSWER_MS = 5_000
const FILES = ['journal.db', 'journal.db-wal', 'telemetry.db', 'telemetry.db-wal', 'reserve']

interface Controller {
  folder: string
  metrics: { host: string; port: number } | undefined
}

/** What a support bundle says about a controller: sizes and metrics. The journal of a running one cannot be read. */
export async function edgeFacts({ folder, metrics }: Controller) {
  const sizes = FILES.map(async (name) => {
    const found = await stat(join(folder, name)).catch(() => undefined)
    return [name, found?.size ?? null] as const
  })
  return {
    folder: dirname(folder),
    counts: { isRunning: isRunning(folder), bytes: Object.fromEntries(await Promise.all(sizes)) },
    metrics: metrics && (await metricsAt(metrics)),
    secrets: [],
  }
}

async function metricsAt({ host, port }: { host: string; port: number }): Promise<string | undefined> {
  try {
    const place = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
    const reply = await fetch(`http://${place}:${port}/metrics`, { signal: AbortSignal.timeout(ANSWER_MS) })
    return reply.ok ? await reply.text() : undefined
  } catch {
    return undefined
  }
}
