import type { MissingKind } from '@plantroom/contract/jobs'
import { useAll } from '../../../api/use-all.ts'

const targetsOf = (all: readonly { id: string; name: string }[]) =>
  all.map(({ id, name }) => ({ value: id, label: name }))

/** Loads what names of a kind can be replaced with, once somebody wants to. */
export function useTargets(kind: MissingKind, isWanted: boolean) {
  const wanted = (list: MissingKind) => ({ enabled: isWanted && kind === list })
  const units = useAll('listUnits', {}, (page) => page.units, { ...wanted('units'), select: targetsOf })
  const tags = useAll('listTags', {}, (page) => page.tags, { ...wanted('tags'), select: targetsOf })
  const people = useAll('listPeople', {}, (page) => page.people, {
    ...wanted('people'),
    select: (all) => all.map(({ id, email, name }) => ({ value: id, label: name ? `${name} · ${email}` : email })),
  })
  return { units, tags, people }[kind]
}
