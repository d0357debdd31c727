import { serviceNow } from '../service-clock.ts'
import { LIVE_EVENTS } from './live-view.ts'

interface EarlyEvent {
  name: (typeof LIVE_EVENTS)[number]
  data: unknown
  /** When it arrived, by the clock of the service. */
  at: number
}

interface Early {
  source: EventSource
  events: EarlyEvent[]
}

const early = new Map<string, Early>()

/** Follows a controller until it has answered once, before the page does. Later states would only delay the page. */
export function followEarly(path: string): void {
  const source = new EventSource(path)
  const events: EarlyEvent[] = []
  for (const name of LIVE_EVENTS) {
    source.addEventListener(name, ({ data }: MessageEvent<string>) => {
      events.push({ name, data: JSON.parse(data), at: serviceNow() })
      // The last known state comes before the reason why there is no other.
      if (name !== 'last-known') source.close()
    })
  }
  source.addEventListener('error', () => source.close())
  early.set(path, { source, events })
}

/** Returns what a controller has said so far, once, and stops to follow it. */
export function takeEarly(path: string): readonly EarlyEvent[] {
  const taken = early.get(path)
  early.delete(path)
  taken?.source.close()
  return taken?.events ?? []
}
