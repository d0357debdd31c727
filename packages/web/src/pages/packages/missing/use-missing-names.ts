import type { PackageFinding } from '@plantroom/contract/api'
import { MAX_CHOICES, type MissingKind } from '@plantroom/contract/jobs'
import { useAll } from '../../../api/use-all.ts'
import { describePerson } from './describe-person.ts'

/** A name that the site lacks. */
export interface MissingName {
  name: string
  /** With the roles of a person. */
  label: string
}

export type NamesByKind = Readonly<Record<MissingKind, readonly MissingName[]>>

const KIND_OF = { unit: 'units', email: 'people', tag: 'tags' } as const satisfies Record<
  PackageFinding['kind'],
  MissingKind
>
const PAGE = 10_000

/** Loads the names of a package that the site lacks, whatever becomes of them: the output of a job lists only some. */
export function useMissingNames(jobId: string) {
  return useAll('listJobFindings', { jobId, query: { limit: PAGE } }, ({ findings }) => findings, {
    most: 3 * MAX_CHOICES,
    select: byKind,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function byKind(findings: readonly PackageFinding[]): NamesByKind {
  const names: Record<MissingKind, MissingName[]> = { units: [], people: [], tags: [] }
  for (const { kind, value, roles } of findings) {
    const label = describePerson(value, roles)
    const found = names[KIND_OF[kind]]
    if (found.length < MAX_CHOICES) found.push({ name: value, label })
  }
  return names
}

export const plainNames = (names: readonly MissingName[]) => names.map(({ name }) => name)
