import { type ByteSource, bytesSource } from '../archive/byte-source.ts'
import { verifyArchive } from '../archive/verify.ts'
import { PackageRefused } from '../refusal.ts'
import { type ArchiveParts, buildZip, type EntryParts } from './zip-builder.ts'

const PREFIX = 'The package is not a valid .fpl archive: '

/** Returns the verifier's verdict on an archive of these parts: `accepted`, or the detail of its refusal. */
export function verdictOn(entries: readonly EntryParts[], archive?: ArchiveParts): string {
  return verdictOnSource(bytesSource(buildZip(entries, archive)))
}

/** Throws any error except a refusal. */
export function verdictOnSource(source: ByteSource): string {
  try {
    verifyArchive(source)
    return 'accepted'
  } catch (error) {
    if (!(error instanceof PackageRefused) || !error.message.startsWith(PREFIX)) throw error
    return error.message.slice(PREFIX.length)
  }
}
