import type { ReportEntry } from '@plantroom/contract/reports'

/**
 * What must be true of the entries that the cloud has, in the order of their arrival, at every moment. Returns what is
 * not, in words.
 */
export function brokenReportLaws(entries: readonly ReportEntry[]): string[] {
  const broken: string[] = []
  entries.forEach(({ seq }, index) => {
    if (seq !== index + 1) broken.push(`entry ${index + 1} has the number ${seq}`)
  })
  for (const [datapointId, own] of Map.groupBy(entries, (entry) => entry.datapointId)) {
    let holder: ReportEntry | undefined
    let told: string[] = []
    for (const entry of own.filter((entry) => !isCalledOff(entry, own))) {
      const at = `${datapointId} #${entry.seq}`
      if (entry.phase === 'applied') {
        if (holder) broken.push(`${at}: applied while ${holder.overrideId ?? holder.code} holds it`)
        holder = entry
        told = []
      } else if (entry.phase === 'released') {
        if (holder?.overrideId !== entry.overrideId || holder.code !== entry.code) {
          broken.push(
            `${at}: ${entry.overrideId ?? entry.code} released, but ${holder?.overrideId ?? 'nobody'} holds it`,
          )
        }
        holder = undefined
        told = []
      } else {
        if (told.includes(entry.phase)) broken.push(`${at}: ${entry.phase} told twice`)
        told.push(entry.phase)
      }
    }
  }
  return broken
}

/** Who has a datapoint by what the cloud was told. */
export function holderByReports(entries: readonly ReportEntry[], datapointId: string): ReportEntry | undefined {
  const last = entries.findLast(
    (entry) =>
      entry.datapointId === datapointId &&
      (entry.phase === 'applied' || (entry.phase === 'released' && !isCalledOff(entry, entries))),
  )
  return last?.phase === 'applied' ? last : undefined
}

/** The end of a window that was cancelled before its time came: nothing was there before, and nothing comes back. */
function isCalledOff(entry: ReportEntry, among: readonly ReportEntry[]): boolean {
  const { phase, reason, valueBefore, value, overrideId } = entry
  if (phase !== 'released' || reason !== 'cancelled' || valueBefore !== null || value !== null) return false
  return !among.some((other) => other.phase === 'applied' && other.overrideId === overrideId)
}
