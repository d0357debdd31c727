/** A package that cannot be checked by its manifest: no archive, no manifest, or no JSON. `message` is the contract's. */
export class PackageRefused extends Error {
  /** What is wrong and where, for the report, where the message does not say it. */
  readonly detail: string | undefined

  constructor(message: string, detail?: string) {
    super(message)
    this.detail = detail
  }
}

/** The archive is not one, is damaged, or breaks a limit. `detail` says which entry, and the rule. */
export function archiveRefused(detail: string): PackageRefused {
  return new PackageRefused(`The package is not a valid .fpl archive: ${detail}`)
}

export function manifestMissing(): PackageRefused {
  return new PackageRefused('No manifest.json found in the package')
}

/** The contract fixes the message to the letter, so `detail`, what is wrong and where, goes to the report. */
export function manifestNotJson(detail: string): PackageRefused {
  return new PackageRefused('manifest.json is not valid JSON', detail)
}
