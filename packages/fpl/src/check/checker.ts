import type { Entry } from '../archive/archive.ts'
import { BOUNDS } from '../limits.ts'
import type { ManifestVisitor } from '../manifest/scanner.ts'
import { type Attachment, filesOf } from './attachments.ts'
import { createExplainer, externalIdOf, missingField, unknownField } from './explain.ts'
import { followsSchema } from './judge.ts'
import { createKnownIds } from './known-ids.ts'
import type { Problem } from './problem.ts'
import { createProblemList, problemAt } from './problems.ts'
import { isLongerThan } from './rules.ts'
import { manifestSchema } from './schema.ts'
import { isFitToKeep } from './unfit-text.ts'

export { invalidManifest } from './problems.ts'

const LONGEST_ID = 255

export interface Findings {
  /** In order, at most BOUNDS.problemsInReport of them. */
  readonly problems: readonly Problem[]
  /** All of them; past the last one that is kept, ids are not compared any more. */
  readonly problemCount: number
  readonly tickets: number
  readonly comments: number
  readonly attachments: number
  /** The files that the manifest names. Some may be missing if there are problems. */
  readonly mentioned: ReadonlySet<Entry>
}

/** Judges a manifest by the published schema and by the rules that a schema cannot say. */
export interface ManifestChecker extends ManifestVisitor {
  findings(): Findings
}

/** What the rules ask about in a ticket that follows the schema. */
interface Ticket {
  readonly attachments?: readonly Attachment[]
  readonly comments?: readonly { readonly attachments?: readonly Attachment[] }[]
}

/** `find` looks a file of the package up, whichever Unicode form its path is written in. */
export function createManifestChecker(find: (path: string) => Entry | undefined): ManifestChecker {
  const schema = manifestSchema()
  // A field that is missing or unknown is a problem of the manifest itself, which comes before those of its fields, but is
  // seen between or after them.
  const unknown = createProblemList()
  const problems = createProblemList()
  const explainer = createExplainer({ find, problems })
  const seen = new Set<string>()
  const ids = createKnownIds()
  const mentioned = new Set<Entry>()
  const counts = { tickets: 0, comments: 0, attachments: 0 }
  let isObject = true

  function isUsedBefore(id: string | undefined): boolean {
    // One that is too short or too long is told as such.
    if (!id || isLongerThan(LONGEST_ID, id)) return false
    // Millions of tickets with hardly more than an id are never a valid package: their ids are not worth the memory.
    if (problems.count >= BOUNDS.problemsInReport) return false
    return !ids.add(id)
  }

  function followsRules({ attachments, comments = [] }: Ticket): boolean {
    return areThere(attachments) && comments.every((comment) => areThere(comment.attachments))
  }

  function areThere(attachments: readonly Attachment[] = []): boolean {
    const files = filesOf(attachments, find)
    for (const file of files ?? []) mentioned.add(file)
    return files !== undefined
  }

  return {
    root(value) {
      isObject = false
      problems.add(() => problemAt('manifest', 'must be an object', value))
    },
    field(name, value) {
      if (!Object.hasOwn(schema.properties, name)) return unknown.add(() => unknownField('manifest', name))
      seen.add(name)
      explainer.field(name, value)
    },
    ticket(index, value) {
      count(value, counts)
      const isDuplicate = isUsedBefore(externalIdOf(value))
      if (!isDuplicate && followsSchema(value) && followsRules(value as Ticket) && isFitToKeep(value)) return
      const countBefore = problems.count
      explainer.ticket(index, value, isDuplicate)
      if (problems.count === countBefore)
        throw new Error(`tickets[${index}] is refused by the schema for no known reason`)
    },
    ticketsEnd() {
      seen.add('tickets')
    },
    findings() {
      const missing = isObject ? schema.required.filter((name) => !seen.has(name)) : []
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

function listIn(value: unknown, field: string): readonly unknown[] {
  const list = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined
  return Array.isArray(list) ? list : []
}
