import type { Measured } from '@plantroom/openadr/report-body'
import type { HistoryStore } from '../telemetry/index.ts'

const PAGE = 10_000
const MAX_PAGES = 20
const SECONDS_PER_HOUR = 3600
/** Below this, the mean of a time is a guess. In percent, as reports call such data bad. */
const LEAST_COVERAGE = 50

interface Time {
  from: number
  to: number
}
type ArchivedSpan = Awaited<ReturnType<HistoryStore['list']>>['measurements'][number]

/** Reads what is archived of a time. An interval is stored at its end. */
export async function readSpans(
  history: Pick<HistoryStore, 'list'>,
  of: { deviceId: string; datapointId: string },
  { from, to }: Time,
): Promise<ArchivedSpan[]> {
  const all: ArchivedSpan[] = []
  let after: number | null | undefined
  for (let page = 0; page < MAX_PAGES && after !== null; page += 1) {
    const { measurements, next } = await history.list({ ...of, from: from + 1, to: to + 1 }, { after, limit: PAGE })
    all.push(...measurements)
    after = next
  }
  return all
}

/**
 * Returns the mean, the energy and the coverage of a time from the intervals of the archive that lie within it. What was not
 * read is not known: it is never 0. A sample says nothing about the time around it, so it covers nothing. Pure.
 */
export function meanOf(spans: readonly ArchivedSpan[], { from, to }: Time, kind: 'power' | 'energy'): Measured {
  let [coveredS, kwSeconds] = [0, 0]
  for (const { at, span } of spans) {
    if (!span || at > to || at - span.seconds * 1000 < from) continue
    const { seconds, energyKwh } = span
    const meanKw = kind === 'power' ? span.mean : energyKwh === undefined ? undefined : kwOf(energyKwh, seconds)
    if (meanKw === undefined) continue
    const covered = (seconds * span.coverage) / 100
    coveredS += covered
    kwSeconds += meanKw * covered
  }
  const seconds = (to - from) / 1000
  const coverage = Math.min(100, Math.round((coveredS / seconds) * 100))
  if (coveredS === 0 || coverage < LEAST_COVERAGE) return { meanKw: null, energyKwh: null, coverage }
  const meanKw = kwSeconds / coveredS
  return { meanKw, energyKwh: (meanKw * seconds) / SECONDS_PER_HOUR, coverage }
}

const kwOf = (energyKwh: number, seconds: number) => (energyKwh * SECONDS_PER_HOUR) / seconds
