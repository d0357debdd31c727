import type { Claims } from '../../writing/claims.ts'
import type { ClaimSink, LocalClaimant, MeterReading, Want } from '../claim-sink.ts'

/** Claims that stand in memory, and a meter that shows what the test says. */
export interface MemorySink extends ClaimSink {
  /** What a claimant wants of a datapoint now. */
  wanted(datapointId: string, by: LocalClaimant): Want | undefined
  /** Every claim that made a difference, in order. */
  readonly changes: readonly { datapointId: string; by: LocalClaimant; want: Want | undefined }[]
  /** Demand response takes a datapoint, or lets go of it. */
  dispatch(datapointId: string, value: number | undefined): void
}

/** Begins with the claims that an earlier process left behind. */
export function createMemorySink(restored: Record<string, Claims> = {}): MemorySink {
  const claims = new Map<string, Claims>(Object.entries(restored))
  const changes: { datapointId: string; by: LocalClaimant; want: Want | undefined }[] = []

  return {
    changes,
    claim(datapointId, by, want) {
      const { [by]: before, ...others } = claims.get(datapointId) ?? {}
      if (JSON.stringify(before?.want) === JSON.stringify(want)) return
      changes.push({ datapointId, by, want })
      claims.set(datapointId, want ? { ...others, [by]: { by, want } } : others)
    },
    standing: (datapointId) => claims.get(datapointId) ?? {},
    wanted: (datapointId, by) => claims.get(datapointId)?.[by]?.want,
    dispatch(datapointId, value) {
      const { 'demand-response': _, ...others } = claims.get(datapointId) ?? {}
      const by = 'demand-response'
      claims.set(datapointId, value === undefined ? others : { ...others, [by]: { by, want: { value } } })
    },
  }
}

/** A meter for tests: `shows` is what it reads, whatever the datapoint. */
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
