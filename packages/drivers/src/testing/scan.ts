import { every, systemClock } from '@plantroom/base/clock'
import type { FoundConnection } from '@plantroom/contract/discovery'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import type { Protocol, ProtocolDeps } from '../driver.ts'

/** Runs a scan to its end, and returns what it came across. */
export async function scan(
  protocol: Protocol,
  settings: Record<string, unknown>,
  { signal = new AbortController().signal, seen = () => {} }: { signal?: AbortSignal; seen?: () => void } = {},
): Promise<{ found: FoundConnection[]; warnings: string[]; progress: string | undefined }> {
  const found: FoundConnection[] = []
  const warnings: string[] = []
  let progress: string | undefined
  for await (const each of protocol.discover?.(settings, { signal }) ?? []) {
    if (each.kind === 'found') found.push(each.connection)
    if (each.kind === 'warning') warnings.push(each.message)
    if (each.kind === 'progress') progress = `${each.done} of ${each.of}`
    seen()
  }
  return { found, warnings, progress }
}

/** Scans on a clock that runs only as fast as this process: what answers has half a second of it for ten seconds of a timeout. */
export function scanInStep(
  create: (deps: ProtocolDeps) => Protocol,
  settings: Record<string, unknown>,
): ReturnType<typeof scan> {
  const clock = createManualClock()
  const stop = every(systemClock, 1, () => clock.advanceNow(20))
  return scan(create({ clock }), settings).finally(stop)
}
