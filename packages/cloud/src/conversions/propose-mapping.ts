import type { SourceAnalysis } from '@plantroom/contract/conversion'
import type { AnalysisOutput, KeptMapping } from '@plantroom/contract/conversion-jobs'

/** How much of a kept mapping an export must have to be taken for one of the same kind. */
const FITTING_SHARE = 0.5

/**
 * Replaces the proposal of an analysis by the newest kept mapping that fits. Columns and values that it does not know keep
 * the proposal. `kept` is sorted, the newest first.
 */
export function proposeMapping(analysis: SourceAnalysis, kept: readonly KeptMapping[]): AnalysisOutput {
  const columns = new Set(analysis.columns.map(({ name }) => name))
  const fitting = kept.find(({ mapping }) => {
    const names = Object.keys(mapping.columns)
    return names.length > 0 && names.filter((name) => columns.has(name)).length >= names.length * FITTING_SHARE
  })
  if (!fitting) return { ...analysis, keptAs: null }
  const { mapping } = fitting
  const proposed = analysis.mapping
  const ofExport = Object.entries({ ...proposed.columns, ...mapping.columns }).filter(([name]) => columns.has(name))
  return {
    ...analysis,
    keptAs: fitting.name,
    mapping: {
      ...proposed,
      ...mapping,
      columns: Object.fromEntries(ofExport),
      states: { ...proposed.states, ...mapping.states },
      priorities: { ...proposed.priorities, ...mapping.priorities },
    },
  }
}
