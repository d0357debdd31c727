/** What decides between values for the same target at the same time. */
export interface Rank {
  /** 0: the fallback of the mapping while the VTN is silent; 1: events; 2: payloads that are a fallback for others. */
  readonly layer: 0 | 1 | 2
  readonly priority: number
  readonly createdAt: number
  readonly eventId: string
  /** Interval, then rule. */
  readonly order: number
}

/** 0 is the highest priority; of equal ones the newer event counts. Ids make the order the same in every process. */
export function compareRanks(a: Rank, b: Rank): number {
  return (
    a.layer - b.layer ||
    difference(a.priority, b.priority) ||
    b.createdAt - a.createdAt ||
    (a.eventId === b.eventId ? a.order - b.order : a.eventId < b.eventId ? -1 : 1)
  )
}

// Infinity minus Infinity is not a number.
const difference = (a: number, b: number) => (a === b ? 0 : a - b)
