import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const NAME = /\b(?:PLANTROOM|S3|SMTP|MQTT|DATABASE)_[A-Z0-9_]*[A-Z0-9]\b/g

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const namesIn = (paths: readonly string[]) => new Set(paths.flatMap((path) => read(path).match(NAME) ?? []))

/** The programs, their tests excepted: a test may use a name that does not exist. */
const SOURCES = [
  'plantroom',
  ...globSync(['packages/*/src/**/*.{ts,tsx}', 'tools/src/**/*.ts', 'bench/**/*.ts', 'e2e/**/*.ts'], { cwd: ROOT }),
].filter(
  (path) =>
    !path.includes('node_modules') &&
    !(path.startsWith('packages/') && path.includes('.test.')) &&
    !path.endsWith('settings-names.test.ts'),
)
const known = namesIn(SOURCES)
/** Names that the source puts together, for example `${PREFIX}ISSUER`. */
const prefixes = SOURCES.flatMap((path) =>
  [...read(path).matchAll(/'(PLANTROOM_[A-Z_]+_)'/g)].map(([, prefix = '']) => prefix),
)
const isKnown = (name: string) =>
  known.has(name) ||
  prefixes.some((prefix) => name.startsWith(prefix)) ||
  // A group, written as `PLANTROOM_ACTIVITY_*`.
  [...known].some((one) => one.startsWith(`${name}_`))

describe('the settings', () => {
  const files = globSync(['deploy/**/*', 'docs/**/*.md', '*.md'], { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))

  test('that examples and documentation name exist', () => {
    const unknown = files.flatMap((file) =>
      [...namesIn([file])].filter((name) => !isKnown(name)).map((name) => `${file}: ${name}`),
    )
    expect(unknown).toEqual([])
  })

  test('of the cloud and the edge are in the reference', () => {
    const reference = read('docs/reference/settings.md')
    const declared = namesIn([
      'packages/cloud/src/config.ts',
      'packages/cloud/src/oidc-config.ts',
      'packages/edge/src/config.ts',
    ])
    expect([...declared].filter((name) => !reference.includes(name) && !name.startsWith('S3_'))).toEqual([])
  })
})
