import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import type { Trace, TraceSettings } from './trace.ts'

/** Opens the export of spans when the settings ask for it. Otherwise its code is not even loaded. */
export async function openTrace(
  service: string,
  settings: TraceSettings | undefined,
  deps: { clock: Clock; log: Log },
): Promise<Trace | undefined> {
  if (!settings) return undefined
  const { createOtlpTrace } = await import('./otlp-trace.ts')
  return createOtlpTrace({ service, settings, ...deps })
}
