/** A claim on a time. */
export interface Claim {
  readonly from: number
  readonly to: number
}
export interface Segment<Of extends Claim> {
  readonly from: number
  readonly to: number
  readonly claim: Of
}

/**
 * Gives every moment to the first of the claims, in their order, that covers it. Returns what each one gets, in the order of
 * time, and which claims were outranked by which other one. Takes n log n for n claims.
 */
export function sweep<Of extends Claim>(
  claims: readonly Of[],
): { readonly segments: readonly Segment<Of>[]; readonly outranked: ReadonlyMap<Of, Of> } {
  const times = [...new Set(claims.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
  const place = new Map(times.map((time, index) => [time, index]))
  const owners = new Array<Of | undefined>(times.length).fill(undefined)
  const free = freePlaces(times.length)
  const outranked = new Map<Of, Of>()
  for (const claim of claims) {
    const [first, end] = [place.get(claim.from) ?? 0, place.get(claim.to) ?? 0]
    let next = first
    let by: Of | undefined
    for (let at = free.from(first); at < end; at = free.from(at)) {
      // The places that were skipped belong to claims before this one.
      if (at > next) by ??= owners[next]
      owners[at] = claim
      free.take(at)
      next = at + 1
    }
    if (next < end) by ??= owners[next]
    if (by) outranked.set(claim, by)
  }
  return { segments: joined(times, owners), outranked }
}

/** Finds the next place that is not taken. Every lookup shortens the way of those after it. */
function freePlaces(count: number) {
  const next = Array.from({ length: count + 1 }, (_, index) => index)
  const from = (start: number): number => {
    let at = start
    while (next[at] !== at) {
      const after = next[at] ?? count
      next[at] = next[after] ?? count
      at = after
    }
    return at
  }
  return {
    from,
    take(at: number) {
      next[at] = at + 1
    },
  }
}

function joined<Of extends Claim>(times: readonly number[], owners: readonly (Of | undefined)[]): Segment<Of>[] {
  const segments: { from: number; to: number; claim: Of }[] = []
  for (const [index, claim] of owners.entries()) {
    const [from, to] = [times[index], times[index + 1]]
    if (!claim || from === undefined || to === undefined) continue
    const last = segments.at(-1)
    if (last?.claim === claim && last.to === from) last.to = to
    else segments.push({ from, to, claim })
  }
  return segments
}
