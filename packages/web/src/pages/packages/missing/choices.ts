import type { ImportOptions, MissingKind } from '@plantroom/contract/jobs'

/** What becomes of one name: it follows the others (`all`), or has a choice of its own. */
export type NameChoice = 'all' | 'create' | 'leave' | { readonly id: string }

/** The choices for one kind of names that the site lacks. */
export interface KindChoices {
  /** Whether all names are created that have no choice of their own. */
  readonly create: boolean
  readonly single: ReadonlyMap<string, NameChoice>
}

export type MissingChoices = Readonly<Record<MissingKind, KindChoices>>

const NONE: ReadonlyMap<string, NameChoice> = new Map()

/** What the page proposes: nothing that the package has is lost. */
export const EVERYTHING: MissingChoices = {
  units: { create: true, single: NONE },
  people: { create: true, single: NONE },
  tags: { create: true, single: NONE },
}

/** What an import does without options. */
export const USUAL: MissingChoices = {
  units: { create: false, single: NONE },
  people: { create: false, single: NONE },
  tags: { create: true, single: NONE },
}

/** Returns the choices with one name changed. */
export function choose(kind: KindChoices, name: string, choice: NameChoice): KindChoices {
  const single = new Map(kind.single)
  if (choice === 'all') single.delete(name)
  else single.set(name, choice)
  return { ...kind, single }
}

/** Counts what becomes of the names of a kind. */
export function countChoices({ create, single }: KindChoices, names: readonly string[]) {
  const counts = { created: 0, mapped: 0, left: 0 }
  for (const name of names) {
    const own = single.get(name) ?? 'all'
    if (typeof own === 'object') counts.mapped += 1
    else if (own === 'create' || (own === 'all' && create)) counts.created += 1
    else counts.left += 1
  }
  return counts
}

/**
 * Returns the options of a job; `undefined` where the choices are the usual ones. `names` has all names that were found: where
 * only single ones are created, the others of them are left by name.
 */
export function optionsOf(
  choices: MissingChoices,
  names: Readonly<Record<MissingKind, readonly string[]>>,
): ImportOptions | undefined {
  const kinds = (Object.keys(USUAL) as MissingKind[]).flatMap((kind) => {
    const options = optionsOfKind(choices[kind], names[kind], USUAL[kind].create)
    return options ? [[kind, options] as const] : []
  })
  return kinds.length === 0 ? undefined : Object.fromEntries(kinds)
}

function optionsOfKind({ create, single }: KindChoices, found: readonly string[], isUsual: boolean) {
  const names = [...new Set([...found, ...single.keys()])]
  const own = (name: string) => single.get(name) ?? 'all'
  const isCreated = (name: string) => own(name) === 'create' || (own(name) === 'all' && create)
  const map = names.flatMap((name) => {
    const choice = own(name)
    return typeof choice === 'object' ? [[name, choice.id] as const] : []
  })
  const others = names.filter((name) => typeof own(name) !== 'object')
  const createsSome = create || others.some(isCreated)
  if (map.length === 0 && createsSome === isUsual && others.every((name) => isCreated(name) === isUsual))
    return undefined
  const leave = createsSome ? others.filter((name) => !isCreated(name)) : []
  return {
    create: createsSome,
    ...(map.length > 0 && { map: Object.fromEntries(map) }),
    ...(leave.length > 0 && { leave }),
  }
}
