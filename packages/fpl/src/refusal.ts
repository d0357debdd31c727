/**
 * A package whose manifest cannot be checked: it is not an archive, or the manifest is missing or not JSON. The
 * contract fixes `message`.
 */
export class PackageRefused extends Error {
  /** The problem and its position, for the report, if the message does not contain them. */
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
