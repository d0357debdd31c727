import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  CLI_SETTINGS,
  CLOUD_SETTINGS,
  EDGE_SETTINGS,
  FILE_ENDING,
  type Setting,
  SIMULATOR_SETTINGS,
} from '@plantroom/contract/settings'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const NAME = /\b(?:PLANTROOM|S3|SMTP|MQTT|DATABASE)_[A-Z0-9_]*[A-Z0-9]\b/g

/** What Node itself reads. */
const OF_NODE = ['NODE_EXTRA_CA_CERTS']

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
/** The variables that name a file with a secret have no text of their own in the sources. */
const secretFiles = [CLOUD_SETTINGS, EDGE_SETTINGS].flatMap((table) =>
  Object.entries<Setting>(table).flatMap(([name, { secret }]) => (secret ? [`${name}${FILE_ENDING}`] : [])),
)
const known = new Set([...namesIn(SOURCES), ...secretFiles])
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

  // Whatever their names begin with: a line that no program reads looks as if it worked.
  test('that files for operators set are read by the program of the file', () => {
    const examples = {
      'tools/src/release/debian/cloud.env': CLOUD_SETTINGS,
      'tools/src/release/debian/edge.env': EDGE_SETTINGS,
      'deploy/compose/plantroom.env.example': CLOUD_SETTINGS,
      'deploy/systemd/plantroom-cloud.service': CLOUD_SETTINGS,
      'deploy/systemd/plantroom-worker.service': CLOUD_SETTINGS,
      'deploy/systemd/plantroom-edge.service': EDGE_SETTINGS,
    }
    const unread = Object.entries(examples).flatMap(([file, table]) => {
      const set = [...read(file).matchAll(/^#?(?:Environment=)?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name)
      expect([file, set.length]).not.toEqual([file, 0])
      return set.filter((name) => !(name in table) && !OF_NODE.includes(name)).map((name) => `${file}: ${name}`)
    })
    expect(unread).toEqual([])
  })

  test.each([
    ['cloud', CLOUD_SETTINGS, ['config.ts', 'limits-config.ts', 'oidc-config.ts', 'setting-reader.ts']],
    ['edge', EDGE_SETTINGS, ['config.ts']],
    ['simulator', SIMULATOR_SETTINGS, ['config.ts']],
    ['cli', { ...CLI_SETTINGS, ...CLOUD_SETTINGS }, ['config.ts']],
  ])('that the %s reads are declared in the contract', (folder, table, files) => {
    const read = namesIn(files.map((file) => `packages/${folder}/src/${file}`))
    const declared = Object.keys(table)
    const isDeclared = (name: string) => declared.some((one) => one === name || one.startsWith(`${name}_`))
    expect([...read].filter((name) => !isDeclared(name))).toEqual([])
  })

  test('of the file have places that are their own, and do not lie below each other', () => {
    const all = { ...CLOUD_SETTINGS, ...EDGE_SETTINGS }
    const places = [CLOUD_SETTINGS, EDGE_SETTINGS].map((table) =>
      Object.values<Setting>(table).flatMap(({ place }) => (place === undefined ? [] : [place])),
    )
    for (const own of places) expect(new Set(own).size).toBe(own.length)
    const flat = places.flat()
    expect(flat.filter((place) => flat.some((other) => other.startsWith(`${place}.`)))).toEqual([])
    expect(
      Object.values<Setting>(all).filter(({ place }) => place !== undefined && !/^[a-z0-9_.]+$/.test(place)),
    ).toEqual([])
  })
})
