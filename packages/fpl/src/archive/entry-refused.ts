import { shown } from '@plantroom/contract/shown'
import { archiveRefused, type PackageRefused } from '../refusal.ts'

/** Makes the refusal of one entry from the rule that it breaks. */
export type Refuse = (rule: string) => PackageRefused

/** Such as `entry 12 (attachments/a.txt): is encrypted`. An entry without a name is called by its index alone. */
export function entryRefused(index: number, path: string, rule: string): PackageRefused {
  return archiveRefused(`${entryLabel(index, path)}: ${rule}`)
}

/** Such as `entry 12 (attachments/a.txt)`. */
export function entryLabel(index: number, path: string): string {
  return path === '' ? `entry ${index}` : `entry ${index} (${shown(path)})`
}
