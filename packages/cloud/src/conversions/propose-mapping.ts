import type { SourceAnalysis } from '@plantroom/contract/conversion'
import type { AnalysisOutput, KeptMapping } from '@plantroom/contract/conversion-jobs'

/** How much of a kept mapping an export must have to be taken for one of the same kind. */
const FITTING_SHARE = 2 / 3

/**
 * Replaces the proposal of an analysis by the newest kept mapping that fits. Columns and values that it does not know keep
 * the proposal. `kept` is sorted, the newest first.
 */
export function proposeMapping(analysis: SourceAnalysis, kept: readonly KeptMapping[]): AnalysisOutput {
  const columns = new Set(analysis.columns.map(({ name }) => name))
  // No body of a request may contain __proto__. A column of that name is appended to the description, as all unnamed are.
  const ofExport = <Target>(targets: Readonly<Record<string, Target>>) =>
    Object.fromEntries(Object.entries(targets).filter(([name]) => columns.has(name) && name !== '__proto__'))
  const fitting = kept.find(({ mapping }) => {
    const names = Object.keys(mapping.columns)
    return names.length > 0 && names.filter((name) => columns.has(name)).length >= names.length * FITTING_SHARE
  })
  const proposed = { ...analysis.mapping, columns: ofExport(analysis.mapping.columns) }
  if (!fitting) return { ...analysis, mapping: proposed, keptAs: null }
  const { mapping } = fitting
  return {
    ...analysis,
    keptAs: fitting.name,
    mapping: {
      ...proposed,
      ...mapping,
      columns: ofExport({ ...proposed.columns, ...mapping.columns }),
      states: { ...proposed.states, ...mapping.states },
      priorities: { ...proposed.priorities, ...mapping.priorities },
    },
  }
}
