/** A sample this much lower than the others means that the clock of the browser was set forward. */
const STEPPED_MS = 5000

/** The clock of the service: that of the browser, corrected by what the replies say. */
export interface ServiceClock {
  now(): number
  /** Returns the time of the service at a time of the browser. */
  timeOf(browserTime: number): number
  /** Learns from the `Date` header of a reply that has just arrived. */
  hear(date: string | null): void
}

export function createServiceClock(browserNow: () => number): ServiceClock {
  let offset: number | undefined
  return {
    now: () => browserNow() + (offset ?? 0),
    timeOf: (browserTime) => browserTime + (offset ?? 0),
    hear(date) {
      const sample = Date.parse(date ?? '') - browserNow()
      if (Number.isNaN(sample)) return
      // The header has whole seconds and is late by the time of the transfer, so the largest sample is the best.
      if (offset === undefined || sample > offset || sample < offset - STEPPED_MS) offset = sample
    },
  }
}

const clock = createServiceClock(() => Date.now())

/** Returns the current time by the clock of the service. The clock of the browser may be wrong. */
export const serviceNow = clock.now
export const serviceTimeOf = clock.timeOf

let heardAt = 0
/** Returns when the service was last heard, in milliseconds since the page began to load. */
export const lastHeard = (): number => heardAt

/** Learns from the headers of a reply that has just arrived. */
export function hearService(headers: Headers): void {
  heardAt = performance.now()
  clock.hear(headers.get('date'))
}
