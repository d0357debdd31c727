import type { Fields } from '../../json/fields.ts'

/** Relations as the other issue sees them. */
const INVERSE = new Map([
  ['relates', 'relates'],
  ['duplicates', 'duplicated'],
  ['duplicated', 'duplicates'],
  ['blocks', 'blocked'],
  ['blocked', 'blocks'],
  ['precedes', 'follows'],
  ['follows', 'precedes'],
  ['copied_to', 'copied_from'],
  ['copied_from', 'copied_to'],
])

/** Relations to other issues, for example `precedes #2 (2 days)`. */
export function relationsOf(issue: Fields, id: string): string[] {
  return issue.list('relations').map((relation) => {
    const type = relation.needed('relation_type')
    const isFrom = relation.text('issue_id') === id
    const other = relation.text(isFrom ? 'issue_to_id' : 'issue_id') ?? ''
    const delay = relation.text('delay')
    const days = delay === undefined ? '' : ` (${delay} ${delay === '1' ? 'day' : 'days'})`
    return `${isFrom ? type : (INVERSE.get(type) ?? type)} #${other}${days}`
  })
}

/** Subtasks with their own subtasks, for example `#3 Replace the gasket`. */
export function subtasksOf(issue: Fields): string[] {
  return issue
    .list('children')
    .flatMap((child) => [`#${child.text('id') ?? ''} ${child.text('subject') ?? ''}`.trimEnd(), ...subtasksOf(child)])
}
