import type { ChainedEntry } from '@plantroom/contract/reports'

/**
 * Checks the rules that the audit entries in the cloud must obey at every moment, in the order of arrival. Returns a
 * sentence for each violation.
 *
 * An override has at most one `applied` entry and, after it, at most one `released`. Peak shaving and schedules, which
 * have no ids, alternate. Each problem is reported once for each holder.
 */
export function brokenReportLaws(entries: readonly ChainedEntry[]): string[] {
  const broken: string[] = []
  entries.forEach(({ seq }, index) => {
    if (seq !== index + 1) broken.push(`entry ${index + 1} has the number ${seq}`)
  })
  for (const [overrideId, own] of Map.groupBy(entries, (entry) => entry.overrideId)) {
    if (overrideId !== null) broken.push(...brokenPairs(overrideId, own))
  }
  for (const [datapointId, own] of Map.groupBy(entries, (entry) => entry.datapointId)) {
    broken.push(
      ...brokenTurns(
        datapointId,
        own.filter(({ overrideId }) => overrideId === null),
      ),
    )
  }
  return broken
}

function brokenPairs(overrideId: string, entries: readonly ChainedEntry[]): string[] {
  const phases = entries.map(({ phase }) => phase)
  const broken: string[] = []
  for (const phase of ['applied', 'released'] as const) {
    const count = phases.filter((one) => one === phase).length
    if (count > 1) broken.push(`${overrideId} has ${count} ${phase} entries`)
  }
  if (phases.includes('released') && phases.at(-1) !== 'released' && phases.includes('applied')) {
    const afterwards = phases.slice(phases.indexOf('released') + 1)
    if (afterwards.includes('applied')) broken.push(`${overrideId} is applied after it was released`)
  }
  return broken
}

function brokenTurns(datapointId: string, entries: readonly ChainedEntry[]): string[] {
  const broken: string[] = []
  let holder: ChainedEntry | undefined
  let reported: string[] = []
  for (const entry of entries) {
    const at = `${datapointId} #${entry.seq}`
    if (entry.phase === 'applied') {
      if (holder) broken.push(`${at}: applied while ${holder.code} holds it`)
      holder = entry
      reported = []
    } else if (entry.phase === 'released') {
      if (holder?.code !== entry.code) broken.push(`${at}: ${entry.code} released, but ${holder?.code} holds it`)
      holder = undefined
      reported = []
    } else {
      // Once while it holds, and once while it is being released, which is over with `released`.
      const problem = `${entry.phase} ${entry.reason === 'window' ? 'while held' : 'at the release'}`
      if (reported.includes(problem)) broken.push(`${at}: ${problem} reported twice`)
      reported.push(problem)
    }
  }
  return broken
}

/** Returns the entry of the current holder: the override applied last and not yet released, or a local writer. */
export function holderByReports(entries: readonly ChainedEntry[], datapointId: string): ChainedEntry | undefined {
  const own = entries.filter((entry) => entry.datapointId === datapointId)
  const over = new Set(own.filter(({ phase }) => phase === 'released').map(({ overrideId }) => overrideId))
  const override = own.findLast(({ phase, overrideId }) => phase === 'applied' && overrideId && !over.has(overrideId))
  if (override) return override
  const last = own.findLast(
    ({ phase, overrideId }) => overrideId === null && (phase === 'applied' || phase === 'released'),
  )
  return last?.phase === 'applied' ? last : undefined
}
