import type { Readable } from 'node:stream'
import {
  type GivenTarget,
  TARGET_KINDS,
  type TargetKind,
  type TargetPlace,
} from '@plantroom/contract/automatic-exports'

/** A file to send, which can be opened again for another attempt. */
export interface SentFile {
  size: number
  open(): Promise<Readable>
}

export interface SendOptions {
  signal: AbortSignal
  /** Called while bytes move, so that the caller notices a target that hangs. */
  progress(): void
  /** Grows with every attempt: attempts of two workers do not write to the same temporary file. */
  attempt: number
}

/** A place that packages are exported to. Rejects with a `TargetFailure`, whose message is for the person who set it. */
export interface Target {
  /** Stores a file under a name, complete or not at all, and compares its size. Replaces what has the name. */
  put(name: string, file: SentFile, options: SendOptions): Promise<void>
  /** Reads the beginning of a file. */
  read(name: string, signal: AbortSignal): Promise<Buffer>
  /** Removes a file; does nothing when there is none. */
  remove(name: string, signal: AbortSignal): Promise<void>
  close(): void
}

/** Why a target does not work, written for the person who set it. */
export class TargetFailure extends Error {
  /** True when the target could not be reached at all. */
  readonly isUnreachable: boolean

  constructor(message: string, { isUnreachable = false }: { isUnreachable?: boolean } = {}) {
    super(message)
    this.name = 'TargetFailure'
    this.isUnreachable = isUnreachable
  }
}

/** Hidden in most file managers until it is complete. */
export const temporaryName = (name: string, attempt: number) => `.${name}.${attempt}.part`

/** The kinds that a caller described. There should be one. */
export const kindsOf = (target: GivenTarget | TargetPlace): TargetKind[] =>
  TARGET_KINDS.filter((kind) => target[kind] !== undefined)

/** Separates what is stored in the open from the secret. */
export function splitSecret({ s3, webdav, folder }: GivenTarget): { place: TargetPlace; secret: string | undefined } {
  if (s3) {
    const { secretAccessKey, endpoint, prefix = '', ...rest } = s3
    return { place: { s3: { endpoint: endpoint || null, prefix, ...rest } }, secret: secretAccessKey }
  }
  if (webdav) {
    const { password, url, user } = webdav
    return { place: { webdav: { url: withSlash(url), user } }, secret: password }
  }
  return { place: { folder: { path: folder?.path ?? '' } }, secret: undefined }
}

/** Where the files are. Two places with the same answer hold the same files. */
export function locationOf({ s3, webdav, folder }: TargetPlace): string {
  if (s3) return JSON.stringify(['s3', s3.endpoint ?? null, s3.region, s3.bucket, s3.prefix ?? ''])
  if (webdav) return JSON.stringify(['webdav', webdav.url])
  return JSON.stringify(['folder', folder?.path])
}

/**
 * Who receives the secret. A stored secret is kept only while this stays the same: otherwise whoever may change a target
 * could send the secret of another person to a server of their own.
 */
export function recipientOf({ s3, webdav }: TargetPlace): string {
  if (s3) return JSON.stringify(['s3', s3.endpoint ?? null, s3.region, s3.accessKeyId])
  if (webdav) return JSON.stringify(['webdav', new URL(webdav.url).origin, webdav.user])
  return 'folder'
}

/** Names a place for people. Never contains a secret. */
export function labelOf({ s3, webdav, folder }: TargetPlace): string {
  if (s3) {
    const host = s3.endpoint ? `${new URL(s3.endpoint).host}/` : ''
    return `S3 ${host}${s3.bucket}/${s3.prefix ?? ''}`
  }
  if (webdav) {
    const { host, pathname } = new URL(webdav.url)
    return `WebDAV ${host}${pathname}`
  }
  return folder?.path ? `Folder ${folder.path}` : 'Folder of the site'
}

/**
 * Names a place for people who may see that it fails, but not how it is set. The path of a shared WebDAV folder may be
 * all that is needed to open it.
 */
export const publicLabelOf = (place: TargetPlace) =>
  place.webdav ? `WebDAV ${new URL(place.webdav.url).host}` : labelOf(place)

const withSlash = (url: string) => (URL.canParse(url) && !new URL(url).pathname.endsWith('/') ? addSlash(url) : url)

function addSlash(url: string): string {
  const changed = new URL(url)
  changed.pathname += '/'
  return changed.href
}
