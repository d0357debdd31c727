import type { Entry } from '../archive/archive.ts'
import { BOUNDS } from '../limits.ts'
import type { ManifestAttachment, ManifestTicket } from '../manifest/manifest.ts'
import type { ManifestVisitor } from '../manifest/scanner.ts'
import { manifestSchema } from '../manifest/schema.ts'
import { filesOf, listIn } from './attachments.ts'
import { openLargeTicket } from './describe-large.ts'
import { describeField, describeTicket, externalIdOf, missingField, unknownField } from './describe-problems.ts'
import { followsSchema } from './follows-schema.ts'
import { createKnownIds } from './known-ids.ts'
import { createProblemList, type Problem, problemAt } from './problems.ts'
import { isLongerThan, isStorable } from './rules.ts'

const LONGEST_ID = 255

export interface Findings {
  /** In document order, at most BOUNDS.problemsInReport. */
  readonly problems: readonly Problem[]
  /** The number of problems, including those not listed. Duplicate ids are no longer detected once the list is full. */
  readonly problemCount: number
  readonly tickets: number
  readonly comments: number
  readonly attachments: number
  /** The files that the manifest mentions. Incomplete if there are problems. */
  readonly mentioned: ReadonlySet<Entry>
}

/** Checks a manifest against the published schema and the rules that a schema cannot express. */
export interface ManifestChecker extends ManifestVisitor {
  findings(): Findings
}

/**
 * Creates a checker. `find` looks up a file of the package by path, in any Unicode normalization form. `smallBytes` is for
 * tests; see `LargeDeps`.
 */
export function createManifestChecker(
  find: (path: string) => Entry | undefined,
  { smallBytes }: { smallBytes?: number } = {},
): Required<ManifestChecker> {
  // Missing and unknown fields are problems of the manifest itself. They are listed before the problems of its fields,
  // but the scanner finds them between or after those.
  const unknown = createProblemList()
  const problems = createProblemList()
  const mentioned = new Set<Entry>()
  const deps = { find, problems, mentioned, smallBytes }
  const seen = new Set<string>()
  const ids = createKnownIds()
  const counts = { tickets: 0, comments: 0, attachments: 0 }
  let isObject = true

  function isUsedBefore(id: string | undefined): boolean {
    // An id that is too short or too long gets a problem of its own.
    if (!id || isLongerThan(LONGEST_ID, id)) return false
    // A manifest with millions of nearly empty tickets is never valid, so don't spend memory on their ids.
    if (problems.count >= BOUNDS.problemsInReport) return false
    return !ids.add(id)
  }

  function followsRules({ attachments, comments = [] }: ManifestTicket): boolean {
    return areThere(attachments) && comments.every((comment) => areThere(comment.attachments))
  }

  function areThere(attachments: readonly ManifestAttachment[] = []): boolean {
    const files = filesOf(attachments, find)
    for (const file of files ?? []) mentioned.add(file)
    return files !== undefined
  }

  return {
    root(value, spelled = () => value) {
      isObject = false
      problems.add(() => problemAt('manifest', 'must be an object', spelled()))
    },
    field(name, value, spelled = () => value) {
      if (!Object.hasOwn(manifestSchema.properties, name)) return unknown.add(() => unknownField('manifest', name))
      seen.add(name)
      describeField(deps, name, spelled())
    },
    ticket(index, value, spelled = () => value) {
      count(value, counts)
      const isDuplicate = isUsedBefore(externalIdOf(value))
      if (!isDuplicate && followsSchema(value) && followsRules(value) && isStorable(value)) return
      const countBefore = problems.count
      // Once the report is full, nothing is shown any more.
      const isShown = countBefore < BOUNDS.problemsInReport
      describeTicket(deps, index, isShown ? spelled() : value, isDuplicate)
      if (problems.count === countBefore)
        throw new Error(`tickets[${index}] was rejected by the schema, but no rule explains why`)
    },
    largeTicket(index, source, values) {
      const ticket = openLargeTicket(index, source)
      const { comments, attachments } = ticket.count()
      counts.tickets += 1
      counts.comments += comments
      counts.attachments += attachments
      ticket.describe(deps, { isDuplicate: isUsedBefore(ticket.externalId), values })
    },
    ticketsEnd() {
      seen.add('tickets')
    },
    findings() {
      const missing = isObject ? manifestSchema.required.filter((name) => !seen.has(name)) : []
      const ofManifest = [...missing.map((name) => missingField('manifest', name)), ...unknown.kept]
      return {
        problems: [...ofManifest, ...problems.kept].slice(0, BOUNDS.problemsInReport),
        problemCount: missing.length + unknown.count + problems.count,
        ...counts,
        mentioned,
      }
    },
  }
}

function count(ticket: unknown, counts: { tickets: number; comments: number; attachments: number }): void {
  const comments = listIn(ticket, 'comments')
  counts.tickets += 1
  counts.comments += comments.length
  counts.attachments += listIn(ticket, 'attachments').length
  for (const comment of comments) counts.attachments += listIn(comment, 'attachments').length
}
