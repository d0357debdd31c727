import type { AdjustedValue } from '@plantroom/contract/jobs'
import { type ColumnFieldValues, type LinkedFieldName, MANIFEST_FIELD_NAMES } from '@plantroom/contract/request-fields'
import type { Person } from '@plantroom/contract/tickets'
import { flawOfPackageName } from '@plantroom/fpl/package-name'
import type { StoredFile, StoredRequest } from '../requests/index.ts'
import { createAdjustments } from './export-adjustments.ts'

/** A file to be written into the package. */
export interface PackedFile extends StoredFile {
  path: string
  /** Number of the first request that refers to it. */
  number: number
}

/** Converts requests into items of a manifest, one after the other. */
interface ManifestMaker {
  /** What an import would no longer accept is changed, and reported by `adjusted`. */
  item(request: StoredRequest): object
  /** The files that the items so far refer to, in order. Equal bytes are one file. */
  files(): Iterable<PackedFile>
  /** The first changes. */
  adjusted(): readonly AdjustedValue[]
}

const MAX_NAME = 60
const MAX_SITE_NAME = 100

/**
 * Paths contain the index of the request in the package, not its number: another site assigns other numbers, and its export
 * should have the same paths.
 */
export function createManifestMaker(): ManifestMaker {
  const files = new Map<string, PackedFile>()
  const adjustments = createAdjustments()
  let place = 0

  return {
    item(request) {
      const top = `tickets[${place}]`
      place += 1
      let count = 0
      function attached(list: readonly StoredFile[], at: string): object[] {
        return adjustments.files(list, at).map(({ file, name, contentType }) => {
          count += 1
          const hash = file.sha256.toString('hex')
          const path = `attachments/${place}/${count}-${safeName(file.name)}`
          const packed = files.get(hash) ?? { ...file, path, number: request.number }
          files.set(hash, packed)
          return withoutEmpty({ path: packed.path, name, contentType })
        })
      }
      // Attachments before comments: the order determines the paths.
      const attachments = attached(request.attachments, top)
      const comments = request.comments.map((comment, index) =>
        withoutEmpty({
          content: comment.content,
          author: person(comment.author),
          createdAt: comment.createdAt,
          attachments: attached(comment.attachments, `${top}.comments[${index}]`),
        }),
      )
      const values: Record<LinkedFieldName | keyof ColumnFieldValues, unknown> = {
        ...request,
        reporter: person(request.reporter),
        resolvedAt: request.resolvedAt ?? impliedResolution(request),
        feedback: adjustments.feedback(request.feedback, top),
        attachments,
        comments,
      }
      return withoutEmpty(Object.fromEntries(MANIFEST_FIELD_NAMES.map((name) => [name, values[name]])))
    },
    files: () => files.values(),
    adjusted: () => adjustments.made,
  }
}

/** Returns the file name of an export, which follows the rules for uploads. */
export function exportFileName(siteName: string, at: number): string {
  const day = new Date(at).toISOString().slice(0, 10)
  const site = siteName
    .normalize('NFC')
    .replace(/[^A-Za-z0-9äöõüÄÖÕÜ _()-]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, MAX_SITE_NAME)
    .trim()
  const name = `${site || 'site'} ${day}.fpl`
  const flaw = flawOfPackageName(name)
  if (flaw) throw new Error(`${name} ${flaw}`)
  return name
}

/** Reduces a name to characters that every file system accepts. The caller adds a number to keep names distinct. */
function safeName(name: string): string {
  const plain = name
    .slice(name.lastIndexOf('/') + 1)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/\.{2,}/g, '.')
  // Keep the end, which has the extension. Windows rejects names that end in a dot.
  return plain.slice(-MAX_NAME).replace(/(?<!\.)\.+$/, '') || 'file'
}

/** The resolution time that an import would fill in. Exporting it keeps a round trip stable. */
function impliedResolution({ state, stateChangedAt }: StoredRequest): string | null {
  return state === 'resolved' || state === 'closed' ? stateChangedAt : null
}

/** The format has no empty person: one without any information becomes null. */
function person(of: Person | null): object | null {
  if (!of) return null
  const isKnown = of.email !== null || /\S/.test(of.name ?? '') || /\S/.test(of.phone ?? '')
  return isKnown ? withoutEmpty({ ...of }) : null
}

/** Omits nulls and empty lists, which mean the same as missing fields and make up half of most requests. */
function withoutEmpty(fields: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  )
}
