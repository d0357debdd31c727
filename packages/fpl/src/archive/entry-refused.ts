import { shown } from '@plantroom/contract/shown'
import { archiveRefused, type PackageRefused } from '../refusal.ts'

/** Creates the error for one entry from the rule it breaks. */
export type Refuse = (rule: string) => PackageRefused

/**
 * Returns an error like `entry 12 (attachments/a.txt): is encrypted`. An entry without a name is identified by its
 * index.
 */
export function entryRefused(index: number, path: string, rule: string): PackageRefused {
  return archiveRefused(`${entryLabel(index, path)}: ${rule}`)
}

/** Returns a label like `entry 12 (attachments/a.txt)`. */
export function entryLabel(index: number, path: string): string {
  return path === '' ? `entry ${index}` : `entry ${index} (${shown(path)})`
}
