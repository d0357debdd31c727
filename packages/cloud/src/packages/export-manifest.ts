import type { Person } from '@plantroom/contract/tickets'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { StoredFile, StoredTicket } from '../tickets/export-store.ts'

/** A file that a package is to hold, and whose it is. */
export interface PackedFile extends StoredFile {
  path: string
  /** Of the request that named it first. */
  number: number
}

/** Turns requests, one after another, into the items of a manifest. */
export interface ManifestMaker {
  item(ticket: StoredTicket): object
  /** What the items so far point to, in order. What has the same bytes is one file. */
  files(): Iterable<PackedFile>
}

const LONGEST_NAME = 60

/**
 * Paths tell the place of a request in the package, not its number: exported again from a site that gave it another
 * number, it has the same ones.
 */
export function createManifestMaker(): ManifestMaker {
  const files = new Map<string, PackedFile>()
  let place = 0

  return {
    item(ticket) {
      place += 1
      let count = 0
      function attached(file: StoredFile): object {
        count += 1
        const hash = file.sha256.toString('hex')
        const path = `attachments/${place}/${count}-${safeName(file.name)}`
        const packed = files.get(hash) ?? { ...file, path, number: ticket.number }
        files.set(hash, packed)
        return said({ path: packed.path, name: file.name, contentType: file.contentType })
      }
      // In this order, since it decides which paths are made.
      const attachments = ticket.attachments.map(attached)
      const comments = ticket.comments.map((comment) =>
        said({
          content: comment.content,
          author: person(comment.author),
          createdAt: time(comment.createdAt),
          attachments: comment.attachments.map(attached),
        }),
      )
      return said({
        externalId: ticket.externalId,
        number: ticket.number,
        title: ticket.title,
        state: ticket.state,
        description: ticket.description,
        notes: ticket.notes,
        resolutionSummary: ticket.resolutionSummary,
        priority: ticket.priority,
        language: ticket.language,
        tone: ticket.tone,
        scope: ticket.scope,
        safetyHazard: ticket.safetyHazard,
        reporter: person(ticket.reporter),
        assignee: ticket.assignee,
        supervisor: ticket.supervisor,
        watchers: ticket.watchers,
        unit: ticket.unit,
        tags: ticket.tags,
        ccEmails: ticket.ccEmails,
        feedback: ticket.feedback,
        feedbackText: ticket.feedbackText,
        createdAt: time(ticket.createdAt),
        updatedAt: time(ticket.updatedAt),
        resolvedAt: time(ticket.resolvedAt ?? impliedResolution(ticket)),
        stateChangedAt: time(ticket.stateChangedAt),
        attachments,
        comments,
      })
    },
    files: () => files.values(),
  }
}

/** Letters that every file system takes, after a number that tells two of one name apart. */
function safeName(name: string): string {
  const plain = name
    .slice(name.lastIndexOf('/') + 1)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '_')
  // The end of a name says what kind of file it is; one that ends in a dot is none to Windows.
  return plain.slice(-LONGEST_NAME).replace(/\.+$/, '') || 'file'
}

/** What an import would put there: said here, so that it does not appear by going through one. */
function impliedResolution({ state, stateChangedAt }: StoredTicket): Date | null {
  return state === 'resolved' || state === 'closed' ? stateChangedAt : null
}

const time = (date: Date | null) => date && formatTimestamp(date.getTime())

/** Somebody of whom nothing is known is nobody: the format takes no empty person. */
function person(of: Person | null): object | null {
  if (!of) return null
  const isKnown = of.email !== null || /\S/.test(of.name ?? '') || /\S/.test(of.phone ?? '')
  return isKnown ? said({ ...of }) : null
}

/** Without what is null or an empty list: missing means the same, and half of most requests is that. */
function said(fields: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  )
}
