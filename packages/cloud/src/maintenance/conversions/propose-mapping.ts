import type { Mapping, SourceAnalysis, Target } from '@plantroom/contract/conversion'
import type { AnalysisOutput, KeptMapping } from '@plantroom/contract/conversion-jobs'
import type { ConversionNote } from '@plantroom/contract/conversion-notes'

/** How much of a kept mapping an export must have to be taken for one of the same kind. */
const FITTING_SHARE = 2 / 3

/**
 * Replaces the proposal of an analysis by the newest kept mapping that fits. Columns and values that it does not know keep
 * the proposal. `mappings` is sorted, the newest first.
 */
export function proposeMapping(analysis: SourceAnalysis, mappings: readonly KeptMapping[]): AnalysisOutput {
  const columns = new Set(analysis.columns.map(({ name }) => name))
  // No body of a request may contain __proto__. A column of that name is appended to the description, as all unnamed are.
  const ofExport = <Target>(targets: Readonly<Record<string, Target>>) =>
    Object.fromEntries(Object.entries(targets).filter(([name]) => columns.has(name) && name !== '__proto__'))
  const fitting = mappings.find(({ mapping }) => {
    const names = Object.keys(mapping.columns)
    return names.length > 0 && names.filter((name) => columns.has(name)).length >= names.length * FITTING_SHARE
  })
  const proposed = { ...analysis.mapping, columns: ofExport(analysis.mapping.columns) }
  if (!fitting) return { ...analysis, mapping: proposed, keptAs: null }
  const kept = fitting.mapping
  const mapping: Mapping = {
    ...proposed,
    ...kept,
    columns: ofExport({ ...proposed.columns, ...kept.columns }),
    states: { ...proposed.states, ...kept.states },
    priorities: { ...proposed.priorities, ...kept.priorities },
  }
  const notes = analysis.notes?.filter((note) => !isAnswered(note, mapping))
  return { ...analysis, keptAs: fitting.name, mapping, timeZoneFrom: 'mapping', ...(notes && { notes }) }
}

/** True for what the analysis assumed and the kept mapping states. */
function isAnswered({ code, values = [], more = 0 }: ConversionNote, mapping: Mapping): boolean {
  const becomes = (target: Target) => Object.values(mapping.columns).includes(target)
  const lists = (table: Readonly<Record<string, unknown>>) =>
    more === 0 && values.every((value) => Object.keys(table).some((known) => folded(known) === folded(value)))
  switch (code) {
    case 'zone-assumed':
      return true
    case 'date-order-needed':
      return mapping.dateOrder !== undefined
    case 'system-unrecognized':
      return becomes('title') || becomes('state')
    case 'no-id-column':
      return becomes('externalId')
    case 'no-title-column':
      return becomes('title')
    case 'unknown-states':
      return lists(mapping.states)
    case 'unknown-priorities':
      return lists(mapping.priorities)
    default:
      return false
  }
}

const folded = (value: string) => value.trim().toLowerCase()
