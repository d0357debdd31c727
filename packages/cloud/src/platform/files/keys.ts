import { hash } from 'node:crypto'

/** An uploaded package. */
export type PackageKey = `packages/${string}/${string}/${string}`
/** The content of attachments of a site. Equal bytes are stored once. */
type BlobKey = `blobs/${string}/${string}`
/** An exported package. */
export type ExportKey = `exports/${string}/${string}`
/** Identifies a stored file. Only this file builds keys, from characters that are safe in paths and addresses. */
export type FileKey = PackageKey | BlobKey | ExportKey

const PART = /^[A-Za-z0-9_-]{1,100}$/

/** Uses the hash of `filename`, which may be any text: the key never contains it as a path. */
export function packageKey(organizationId: string, siteId: string, filename: string): PackageKey {
  return `packages/${part(organizationId)}/${part(siteId)}/${hash('sha256', filename.normalize('NFC'))}`
}

/**
 * The name under which a file to attach is uploaded and recorded, as packages are: the same quota and the same removal
 * apply. No package can have it, because it does not end in .fpl.
 */
export const attachmentUploadName = (uploadId: string) => `attachment ${uploadId}`

/** The same for a file of another system's export. */
export const sourceUploadName = (uploadId: string) => `source ${uploadId}`

export const sourceKey = (organizationId: string, siteId: string, uploadId: string): PackageKey =>
  packageKey(organizationId, siteId, sourceUploadName(uploadId))

/** The part that the keys of all packages of an organization, or of all organizations, begin with. */
export function packagesFolder(organizationId?: string): string {
  return organizationId === undefined ? 'packages' : `packages/${part(organizationId)}`
}

/** The parts that the keys of all files of a site begin with. */
export function siteFolders(organizationId: string, siteId: string): string[] {
  const site = part(siteId)
  return [`${packagesFolder(organizationId)}/${site}`, `blobs/${site}`, `exports/${site}`]
}

/** Reads the key of a package from its text; undefined when it is none. */
export function readPackageKey(text: string): PackageKey | undefined {
  const parts = text.split('/')
  return parts[0] === 'packages' ? (readKey(...parts) as PackageKey | undefined) : undefined
}

export function organizationOfPackage(key: PackageKey): string {
  return key.split('/')[1] ?? ''
}

export function blobKey(siteId: string, sha256: Uint8Array): BlobKey {
  if (sha256.length !== 32) throw new Error(`a SHA-256 has 32 bytes, not ${sha256.length}`)
  return `blobs/${part(siteId)}/${Buffer.from(sha256).toString('hex')}`
}

export function exportKey(siteId: string, jobId: string): ExportKey {
  return `exports/${part(siteId)}/${part(jobId)}`
}

/** Reads a key from the parts of an address; undefined when they are not a key. */
export function readKey(...parts: readonly string[]): FileKey | undefined {
  const [kind, ...rest] = parts
  if (!rest.every((text) => PART.test(text))) return undefined
  const levels = rest.length
  if (kind === 'packages' && levels === 3) return parts.join('/') as PackageKey
  if ((kind === 'blobs' || kind === 'exports') && levels === 2) return parts.join('/') as BlobKey | ExportKey
  return undefined
}

function part(id: string): string {
  if (!PART.test(id)) throw new Error(`${JSON.stringify(id)} cannot be part of a key`)
  return id
}
