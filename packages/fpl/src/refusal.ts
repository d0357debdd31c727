/** A package that cannot be judged by its manifest: no archive, no manifest, or no JSON in it. `message` is for people. */
export class PackageRefused extends Error {}

/** The archive is not one, is damaged, or breaks a limit. `detail` says which entry, and the rule. */
export function archiveRefused(detail: string): PackageRefused {
  return new PackageRefused(`The package is not a valid .fpl archive: ${detail}`)
}

export function manifestMissing(): PackageRefused {
  return new PackageRefused('No manifest.json found in the package')
}

/** `detail` says what is wrong and where. */
export function manifestNotJson(detail: string): PackageRefused {
  return new PackageRefused(`manifest.json is not valid JSON: ${detail}`)
}
