import { foldEmail } from '@plantroom/contract/fold-email'
import type { ImportOptions, MissingKind } from '@plantroom/contract/jobs'

/** What becomes of a name that the site lacks. */
export type Outcome = 'created' | 'mapped' | 'left'

/** The choices for one kind of names. Units and tags are compared by trimmed name, people by the key of their email. */
export interface Choice {
  readonly create: boolean
  /** Ids of the site by name. */
  readonly map: ReadonlyMap<string, string>
  readonly leave: ReadonlySet<string>
}

export type Choices = Readonly<Record<MissingKind, Choice>>

/** The rule of the contract: missing tags are created, missing units and people are left. */
const CREATED_BY_DEFAULT: Readonly<Record<MissingKind, boolean>> = { units: false, people: false, tags: true }

const KEY_OF: Readonly<Record<MissingKind, (name: string) => string>> = {
  units: (name) => name.trim(),
  people: (email) => foldEmail(email.trim()),
  tags: (name) => name.trim(),
}

/** Reads the options of a job, which the route has checked. */
export function readChoices(options: ImportOptions | null): Choices {
  const read = (kind: MissingKind): Choice => {
    const { create = CREATED_BY_DEFAULT[kind], map = {}, leave = [] } = options?.[kind] ?? {}
    const keyOf = KEY_OF[kind]
    return {
      create,
      map: new Map(Object.entries(map).map(([name, id]) => [keyOf(name), id])),
      leave: new Set(leave.map(keyOf)),
    }
  }
  return { units: read('units'), people: read('people'), tags: read('tags') }
}

/** Decides about a missing name. `targets` are the ids that still exist: what is mapped to another one is left. */
export function outcomeOf({ create, map, leave }: Choice, key: string, targets: { has(id: string): boolean }): Outcome {
  const target = map.get(key)
  if (target !== undefined) return targets.has(target) ? 'mapped' : 'left'
  return create && !leave.has(key) ? 'created' : 'left'
}
