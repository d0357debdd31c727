/** Returns what the changelog says about a version; about what is not released yet if it does not name the version. */
export function changesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## )/m)
  const section =
    sections.find((text) => text.startsWith(`## ${version}`)) ??
    sections.find((text) => text.startsWith('## Unreleased'))
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${version}`)
  return `${section.trimEnd()}\n`
}
