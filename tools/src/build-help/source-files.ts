import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Pages outside `docs`, with their place in the help. */
export const PAGES_BESIDE: Readonly<Record<string, string>> = {
  'README.md': 'overview',
  'SECURITY.md': 'security',
  'CHANGELOG.md': 'changelog',
  'ARCHITECTURE.md': 'architecture',
  'CONTRIBUTING.md': 'contributing',
}
/** Files and folders of the repository that pages may link to. The help shows them. */
export const FILES_BESIDE = [
  ...['deploy', 'packages/fpl/schemas', 'LICENSE'],
  ...['docs/reference/plantroom.schema.json', 'docs/reference/template.schema.json'],
]
/** The description of the HTTP API. */
export const API_DESCRIPTION = 'docs/reference/openapi.json'
/** Sources that the cloud itself serves, with their addresses. */
export const SERVED: Readonly<Record<string, string>> = { [API_DESCRIPTION]: '/openapi.json' }

/** Lists what the help is made of, as paths below the root. */
export function listSources(root: string): { pages: string[]; images: string[]; files: string[] } {
  const below = (pattern: string) => globSync(pattern, { cwd: root }).sort()
  return {
    pages: [...Object.keys(PAGES_BESIDE), ...below('docs/**/*.md')],
    images: below('docs/images/*'),
    files: FILES_BESIDE.flatMap((path) => [path, ...below(`${path}/**`)]).filter((path) =>
      statSync(join(root, path)).isFile(),
    ),
  }
}
