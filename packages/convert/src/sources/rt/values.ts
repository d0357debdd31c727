import { numberIn } from '../../text/numbers.ts'

/** What RT's pages show for an empty subject. */
export const NO_SUBJECT = '(No subject)'

/** The key of a request that came from RT. Ids of two systems on one site must not be taken for the same. */
export function externalIdOf(id: string): string {
  return `rt-${id}`
}

/** The names that RT gives to priorities unless it is configured otherwise, from the highest. */
const LEVELS = [
  ['High', 100],
  ['Medium', 50],
  ['Low', 0],
] as const

/** Adds the priority as RT's pages show it, and the number where it says more. */
export function addPriority(values: Map<string, string>, priority: string | undefined): void {
  if (priority === undefined) return
  const number = numberIn(priority)
  const [level] = LEVELS.find(([, least]) => number >= least) ?? []
  values.set('Priority', level ?? priority)
  if (number !== 0) values.set('Priority number', priority)
}

/** Fields of RT whose names are written as one word, as RT's pages show them. */
const READABLE = new Map([
  ['LastUpdated', 'Last updated'],
  ['LastUpdatedBy', 'Last updated by'],
  ['Told', 'Last contact'],
  ['TimeWorked', 'Time worked'],
  ['TimeEstimated', 'Time estimated'],
  ['TimeLeft', 'Time left'],
  ['InitialPriority', 'Initial priority'],
  ['FinalPriority', 'Final priority'],
])

/** The column of a field. */
export function columnOf(field: string): string {
  return READABLE.get(field) ?? field
}
