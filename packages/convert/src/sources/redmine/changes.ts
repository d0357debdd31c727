import type { Fields } from '../../json/fields.ts'
import type { Lookups, NamedKind } from './lookups.ts'

/** Properties of an issue as Redmine's pages call them, and what their values name. */
const PROPERTIES = new Map<string, readonly [label: string, names?: NamedKind | 'issue']>(
  Object.entries({
    status_id: ['Status', 'status'],
    priority_id: ['Priority', 'priority'],
    tracker_id: ['Tracker', 'tracker'],
    category_id: ['Category', 'category'],
    fixed_version_id: ['Target version', 'version'],
    project_id: ['Project', 'project'],
    assigned_to_id: ['Assignee', 'user'],
    author_id: ['Author', 'user'],
    parent_id: ['Parent task', 'issue'],
    child_id: ['Subtask', 'issue'],
    subject: ['Subject'],
    description: ['Description'],
    start_date: ['Start date'],
    due_date: ['Due date'],
    estimated_hours: ['Estimated time'],
    done_ratio: ['% Done'],
    is_private: ['Private'],
  }),
)

/**
 * The changes of one journal as lines, for example `2026-11-16T14:59:18Z Jaan Tamm: Status: New → Closed`. `placedFiles`:
 * ids of files that are at a comment, so that they need no line.
 */
export function changesOf(journal: Fields, placedFiles: ReadonlySet<string>, lookups: Lookups): string[] {
  const at = journal.text('created_on') ?? ''
  const by = lookups.person(journal.inner('user'))?.name ?? ''
  return journal.list('details').flatMap((detail) => {
    const change = describe(detail, placedFiles, lookups)
    return change === undefined ? [] : [[at, by].filter(Boolean).join(' '), change].filter(Boolean).join(': ')
  })
}

/** When the state last changed. */
export function stateChangeOf(journals: readonly Fields[]): string | undefined {
  const changed = journals.findLast((journal) =>
    journal.list('details').some(({ object }) => object.property === 'attr' && object.name === 'status_id'),
  )
  return changed?.text('created_on')
}

function describe(detail: Fields, placedFiles: ReadonlySet<string>, lookups: Lookups): string | undefined {
  const name = detail.text('name') ?? ''
  const before = detail.text('old_value')
  const after = detail.text('new_value')
  switch (detail.text('property')) {
    case 'attachment':
      if (after === undefined) return `File removed: ${before ?? ''}`
      return placedFiles.has(name) ? undefined : `File added: ${after}`
    case 'relation':
      return after === undefined ? `Relation removed: ${name} #${before ?? ''}` : `Relation added: ${name} #${after}`
    case 'cf':
      return changed(lookups.nameOf('custom field', name), before, after)
    case 'attr': {
      const [label, kind] = PROPERTIES.get(name) ?? [name]
      const shown = (id: string | undefined) => {
        if (id === undefined || kind === undefined) return id
        return kind === 'issue' ? `#${id}` : lookups.nameOf(kind, id)
      }
      return changed(label, shown(before), shown(after))
    }
    default:
      return changed(name, before, after)
  }
}

function changed(label: string, before: string | undefined, after: string | undefined): string {
  return `${label}: ${before ?? '(none)'} → ${after ?? '(none)'}`
}
