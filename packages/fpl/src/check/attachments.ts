import type { Entry } from '../archive/archive.ts'
import type { ManifestAttachment } from '../manifest/manifest.ts'

const NONE: readonly Entry[] = []

/** Returns the name of an attachment, normalized for comparison. */
export function nameOf({ name, path }: ManifestAttachment): string {
  return (name ?? path.slice(path.lastIndexOf('/') + 1)).normalize('NFC')
}

/** Returns the files of these attachments, or undefined if one is not in the package or a name is used twice. */
export function filesOf(
  attachments: readonly ManifestAttachment[],
  find: (path: string) => Entry | undefined,
): readonly Entry[] | undefined {
  if (attachments.length === 0) return NONE
  const files: Entry[] = []
  for (const { path } of attachments) {
    const file = find(path)
    if (!file) return undefined
    files.push(file)
  }
  const isUnique = attachments.length === 1 || new Set(attachments.map(nameOf)).size === attachments.length
  return isUnique ? files : undefined
}

/** Returns the list in a field of a possible object, or an empty one. */
export function listIn(value: unknown, field: string): readonly unknown[] {
  const list = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined
  return Array.isArray(list) ? list : []
}
