import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { UsageError } from '../../command.ts'

/** A request in the form of the manifest, except that attachments may name a local `file` instead of a `path`. */
export type NewRequest = Record<string, unknown>

export interface FileToAdd {
  /** On this machine. */
  readonly file: string
  /** In the package. */
  readonly path: string
}

export interface AddedRequests {
  readonly tickets: readonly NewRequest[]
  readonly files: readonly FileToAdd[]
  readonly ids: readonly string[]
}

/** Reads one request, an array of them, or one per line. A request without an `externalId` gets one. */
export function requestsFromJson(text: string): NewRequest[] {
  const values = wholeJson(text) ?? linesOfJson(text)
  if (values.length === 0) throw new UsageError('--json contains no request')
  return values.map((value, index) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new UsageError(`--json: request ${index + 1} is not an object such as {"title": "Radiator is cold"}`)
    }
    return { externalId: randomUUID(), state: 'new', ...value }
  })
}

function wholeJson(text: string): unknown[] | undefined {
  try {
    return [JSON.parse(text)].flat()
  } catch {
    return undefined
  }
}

function linesOfJson(text: string): unknown[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    try {
      return [JSON.parse(line)]
    } catch (error) {
      throw new UsageError(`--json: line ${index + 1} is not JSON: ${(error as Error).message}`)
    }
  })
}

/** Gives each local file a path in the package. */
export function placeFiles(requests: readonly NewRequest[]): AddedRequests {
  const files: FileToAdd[] = []
  const placed = (attachments: unknown) =>
    Array.isArray(attachments) ? attachments.map((attachment) => placedFile(attachment, files)) : attachments
  const tickets = requests.map(({ attachments, comments, ...request }) => ({
    ...request,
    ...(attachments !== undefined && { attachments: placed(attachments) }),
    ...(comments !== undefined && {
      comments: Array.isArray(comments)
        ? comments.map((comment) =>
            comment?.attachments === undefined ? comment : { ...comment, attachments: placed(comment.attachments) },
          )
        : comments,
    }),
  }))
  return { tickets, files, ids: requests.map(({ externalId }) => String(externalId)) }
}

function placedFile(attachment: unknown, files: FileToAdd[]): unknown {
  if (typeof attachment !== 'object' || attachment === null || !('file' in attachment)) return attachment
  const { file, ...rest } = attachment
  if (typeof file !== 'string') throw new UsageError('--json: file must be the path of a file')
  // A folder of its own, because files of different requests may share a name.
  const path = `attachments/${randomUUID()}/${basename(file)}`
  files.push({ file, path })
  return { path, ...rest }
}
