import type { Claims } from '../../writing/hold.ts'
import type { ClaimSink, LocalWriter, Want } from '../claim-sink.ts'
import type { MeterReading } from '../meter.ts'

/** Keeps claims in memory. */
export interface MemorySink extends ClaimSink {
  /** Returns what a writer wants from a datapoint now. */
  wanted(datapointId: string, by: LocalWriter): Want | undefined
  /** Every claim that changed something, in order. */
  readonly changes: readonly { datapointId: string; by: LocalWriter; want: Want | undefined }[]
  /** Lets demand response hold a datapoint, or release it with `undefined`. */
  dispatch(datapointId: string, value: number | undefined): void
}

/** Starts with the claims that an earlier process left behind. */
export function createMemorySink(restored: Record<string, Claims> = {}): MemorySink {
  const claims = new Map<string, Claims>(Object.entries(restored))
  const changes: { datapointId: string; by: LocalWriter; want: Want | undefined }[] = []

  return {
    changes,
    claim(datapointId, by, want) {
      const { [by]: before, ...others } = claims.get(datapointId) ?? {}
      if (JSON.stringify(before?.want) === JSON.stringify(want)) return
      changes.push({ datapointId, by, want })
      claims.set(datapointId, want ? { ...others, [by]: { by, want } } : others)
    },
    claims: (datapointId) => claims.get(datapointId) ?? {},
    wanted: (datapointId, by) => claims.get(datapointId)?.[by]?.want,
    dispatch(datapointId, value) {
      const { 'demand-response': _, ...others } = claims.get(datapointId) ?? {}
      const by = 'demand-response'
      claims.set(datapointId, value === undefined ? others : { ...others, [by]: { by, want: { value } } })
    },
  }
}

/** A meter for tests: reads `shows` for every datapoint. */
export function createMemoryMeter(shows?: MeterReading) {
  return {
    shows,
    asked: [] as string[],
    read(datapointId: string): MeterReading | undefined {
      this.asked.push(datapointId)
      return this.shows
    },
  }
}
