import type { SourcePerson } from '../source.ts'

const ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;][^\s@<>,;.]*\.[^\s@<>,;]+$/

export function isAddress(text: string): boolean {
  return ADDRESS.test(text)
}

/**
 * Adds the columns of a person who becomes an address in the package: `Assignee email`, and `Assignee` for the name. A
 * person without a known address gets one column of its own, `Assignee without address`, so that a mapping can keep the
 * name elsewhere.
 */
export function addPerson(values: Map<string, string>, role: string, person: SourcePerson | undefined): void {
  addPeople(values, role, person ? [person] : [])
}

/** Adds several people like `addPerson`, separated by commas. */
export function addPeople(values: Map<string, string>, role: string, people: readonly SourcePerson[]): void {
  const known = people.filter(({ email }) => email !== undefined)
  const unknown = people.filter(({ email }) => email === undefined)
  add(values, `${role} email`, [...new Set(known.flatMap(({ email }) => email ?? []))])
  add(
    values,
    role,
    known.flatMap(({ name }) => name ?? []),
  )
  add(
    values,
    `${role} without address`,
    unknown.flatMap(({ name }) => name ?? []),
  )
}

/** What becomes of the columns of `addPerson`. */
export function personColumns<const Goal extends string>(role: string, target: Goal) {
  return { [`${role} email`]: target, [role]: 'omit', [`${role} without address`]: 'notes+' } as const
}

/** Adds the columns of the person who reported a request: the package has places for all of them. */
export function addReporter(values: Map<string, string>, role: string, person: SourcePerson | undefined): void {
  add(values, role, [person?.name ?? ''])
  add(values, `${role} email`, [person?.email ?? ''])
  add(values, `${role} phone`, [person?.phone ?? ''])
}

/** What becomes of the columns of `addReporter`. */
export function reporterColumns(role: string) {
  return { [role]: 'reporter.name', [`${role} email`]: 'reporter.email', [`${role} phone`]: 'reporter.phone' } as const
}

function add(values: Map<string, string>, column: string, texts: readonly string[]): void {
  const text = texts.filter((item) => item.trim() !== '').join(', ')
  if (text !== '') values.set(column, text)
}
