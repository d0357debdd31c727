import { shown } from '@plantroom/contract/shown'

/**
 * A package whose manifest cannot be checked: it is not an archive, or the manifest is missing or not JSON. The
 * contract fixes `message`.
 */
export class PackageRefused extends Error {
  /** The problem of the manifest and its position, for the report. */
  readonly detail: string | undefined

  constructor(message: string, detail?: string) {
    super(message)
    this.detail = detail
  }
}

/**
 * Creates the error for a file that is not an archive, is damaged, or breaks a limit. `detail` has the entry and the
 * rule.
 */
export function archiveRefused(detail: string): PackageRefused {
  return new PackageRefused(`The package is not a valid .fpl archive: ${detail}`)
}

export function manifestMissing(): PackageRefused {
  return new PackageRefused('No manifest.json found in the package')
}

/** Creates the error for invalid JSON. The contract fixes the message, so `detail` goes to the report. */
export function manifestNotJson(detail: string): PackageRefused {
  return new PackageRefused('manifest.json is not valid JSON', detail)
}

/** Creates the error for a manifest that is valid JSON but breaks one of our rules about its form. */
export function manifestInvalid(detail: string): PackageRefused {
  return new PackageRefused(`Invalid manifest: ${detail}`, detail)
}

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
