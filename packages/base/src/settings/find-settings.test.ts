import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { closestName } from '../closest-name.ts'
import { findSettings } from './find-settings.ts'
import { configurationError, type Entries } from './found-settings.ts'

const OWN = {
  PLANTROOM_DATA: { place: 'data', kind: 'path' },
  PORT: { place: 'cloud.port', kind: 'integer' },
  PROXIES: { place: 'cloud.proxies', kind: 'list' },
  PLAIN: { place: 'cloud.mqtt.plain', kind: 'switch' },
  DEVICE: { place: 'cloud.device', kind: 'text' },
  TOKEN: { place: 'cloud.token', kind: 'text', secret: 'all' },
  URL: { place: 'cloud.database.url', kind: 'url', secret: 'credentials' },
} as const satisfies Entries
const OTHER = { URL: { place: 'edge.mqtt.url', kind: 'url', secret: 'credentials' } } as const satisfies Entries

/** Settings found with a file in a data folder, where `env` has everything else. */
async function find(yaml: string | undefined, env: Record<string, string> = {}, mode = 0o600) {
  const folder = temporaryFolder()
  const file = join(folder, 'plantroom.yaml')
  if (yaml !== undefined) writeFileSync(file, yaml, { mode })
  const found = await findSettings({
    ...{ env: { PLANTROOM_DATA: folder, ...env }, own: OWN, all: [OWN, OTHER] },
    systemFolder: join(folder, 'nothing'),
  })
  const plain = (texts: readonly string[]) => texts.map((text) => text.replaceAll(folder, ''))
  return { ...found, problems: plain(found.problems), warnings: plain(found.warnings), folder, file }
}

describe('the settings of a program', () => {
  test('come from the file, as they are written, unless the environment has them', async () => {
    const yaml = `cloud:
  port: 80
  proxies: [127.0.0.1, 10.0.0.0/8]
  mqtt: {plain: true}
  device: 0123
  database:
edge: {mqtt: {url: mqtt://x}}
`
    const { values, origins, labels, problems, file } = await find(yaml, { PORT: '8080' })
    expect(problems).toEqual([])
    expect(values).toMatchObject({ PORT: '8080', PROXIES: '127.0.0.1 10.0.0.0/8', PLAIN: '1', DEVICE: '0123' })
    expect(values.URL).toBeUndefined()
    expect(origins).toMatchObject({ PORT: 'the environment', DEVICE: `${file} line 5` })
    expect(labels).toMatchObject({ DEVICE: `${file} line 5, cloud.device` })
    expect(labels.PORT).toBeUndefined()
  })

  test.each([
    ['cloud:\n  prot: 80', '/plantroom.yaml line 2, cloud.prot: unknown key; did you mean cloud.port?'],
    ['colud: {port: 80}', '/plantroom.yaml line 1, colud: unknown key; did you mean cloud?'],
    ['cloud: {url: x}', '/plantroom.yaml line 1, cloud.url: unknown key; did you mean cloud.database.url?'],
    [
      'cloud: {zebra: 1}',
      '/plantroom.yaml line 1, cloud.zebra: unknown key; docs/reference/settings.md lists all keys',
    ],
    ['cloud: 5', '/plantroom.yaml line 1, cloud: give keys with values below it'],
    ['- cloud', '/plantroom.yaml line 1: give keys with values below it'],
    ['cloud: {port: {a: 1}}', '/plantroom.yaml line 1, cloud.port: give one value'],
    ['cloud: {port: [1]}', '/plantroom.yaml line 1, cloud.port: give one value, not a list'],
    ['cloud:\n  mqtt:\n    plain: yes', '/plantroom.yaml line 3, cloud.mqtt.plain: give true or false'],
    ['cloud:\n  port: 1\n  port: 2', '/plantroom.yaml line 3: not valid YAML (Map keys must be unique)'],
    ['cloud: {token: a, token_file: b}', '/plantroom.yaml line 1, cloud.token: give it or its file, not both'],
    ['cloud: {token_file: none}', '/plantroom.yaml line 1, cloud.token_file: /none cannot be read (ENOENT)'],
    ['cloud: {token_file: /dev/zero}', ', cloud.token_file: /dev/zero cannot be read (larger than 1 MB)'],
    ['cloud: {token_file: /}', ', cloud.token_file: / cannot be read (EISDIR)'],
    ['cloud: &a {mqtt: *a}', '/plantroom.yaml line 1, cloud.mqtt.mqtt: unknown key'],
    ['cloud: {proxies: &a [*a]}', '/plantroom.yaml line 1, cloud.proxies: give one value, not a list'],
    ['cloud: *nothing', '/plantroom.yaml line 1, cloud: give keys with values below it'],
    ['cloud: {port: *nothing}', '/plantroom.yaml line 1, cloud.port: give one value'],
    ['data_file: x', '/plantroom.yaml line 1, data_file: unknown key'],
  ])('are wrong in %j', async (yaml, problem) => {
    const { problems } = await find(yaml)
    expect(problems).toEqual([expect.stringContaining(problem)])
  })

  test('never show a secret of a file that is not valid', async () => {
    const { problems } = await find('cloud:\n  token: hunter2\n  port: [hunter2, "hunter2\n token: {hunter2')
    expect(problems.join()).toContain('not valid YAML')
    expect(problems.join()).not.toContain('hunter2')
  })

  test('take secrets from files, and warn when everyone can read them', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'token'), '  hunter2\n', { mode: 0o640 })
    writeFileSync(join(folder, 'url'), 'postgres://x\n')
    chmodSync(join(folder, 'url'), 0o644)
    const env = { TOKEN_FILE: join(folder, 'token') }
    const { values, problems, warnings, origins } = await find(`cloud: {database: {url_file: ${folder}/url}}`, env)
    expect(problems).toEqual([])
    expect(values).toMatchObject({ TOKEN: 'hunter2', URL: 'postgres://x' })
    expect(origins.TOKEN).toBe(`TOKEN_FILE, ${folder}/token`)
    expect(warnings).toEqual([expect.stringContaining(`can read the secrets in ${folder}/url: chmod o= `)])

    expect((await find(undefined, { ...env, TOKEN: 'x' })).problems).toEqual(['TOKEN and TOKEN_FILE: set only one'])
    writeFileSync(join(folder, 'token'), '\n')
    expect((await find(undefined, env)).problems).toEqual([`TOKEN_FILE: ${folder}/token is empty`])
    expect((await find('cloud: {token: x}', {}, 0o644)).warnings).toHaveLength(1)
    expect((await find('cloud: {port: 1}', {}, 0o644)).warnings).toEqual([])
  })

  test('come from one file: the named one, else that of the system, else that of the data folder', async () => {
    const folder = temporaryFolder()
    const write = (name: string, port: number) => {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'plantroom.yaml'), `cloud: {port: ${port}}`)
    }
    const portWith = async (env: Record<string, string> = {}, path?: string) => {
      const all = { PLANTROOM_DATA: join(folder, 'data'), ...env }
      const { values, problems } = await findSettings({
        ...{ env: all, path, own: OWN, all: [OWN], systemFolder: join(folder, 'etc') },
      })
      return problems[0] ?? values.PORT
    }
    expect(await portWith()).toBeUndefined()
    write('data', 1)
    expect(await portWith()).toBe('1')
    write('etc', 2)
    expect(await portWith()).toBe('2')
    write('own', 3)
    const PLANTROOM_CONFIG = join(folder, 'own/plantroom.yaml')
    expect(await portWith({ PLANTROOM_CONFIG })).toBe('3')
    expect(await portWith({ PLANTROOM_CONFIG }, join(folder, 'etc/plantroom.yaml'))).toBe('2')
    expect(await portWith({ PLANTROOM_CONFIG: 'none' })).toBeUndefined()
    expect(await portWith({ PLANTROOM_CONFIG: join(folder, 'missing') })).toContain('missing cannot be read (ENOENT)')
  })

  test('resolve paths from the folder of the file', async () => {
    const { values, folder } = await find('data: ../elsewhere', { PLANTROOM_DATA: '' })
    expect(values.PLANTROOM_DATA).toBe('')
    const named = await findSettings({
      ...{ env: {}, path: writeFile(folder, 'data: ../elsewhere'), own: OWN, all: [OWN] },
    })
    expect(named.values.PLANTROOM_DATA).toBe(join(folder, '../elsewhere'))
  })
})

function writeFile(folder: string, yaml: string): string {
  const file = join(folder, 'own.yaml')
  writeFileSync(file, yaml)
  return file
}

test('one error lists every problem with its place', async () => {
  const found = await find('cloud: {port: x}\ncluod: 1')
  const problems = ['PORT: x is not a number', 'URL and PORT: set both', 'TOKEN: set PORT, too']
  expect(configurationError(found, problems).message.replaceAll(found.folder, '')).toBe(
    'Bad configuration: /plantroom.yaml line 2, cluod: unknown key; did you mean cloud?; ' +
      '/plantroom.yaml line 1, cloud.port: x is not a number; URL and /plantroom.yaml line 1, cloud.port: set both; ' +
      'TOKEN: set PORT, too',
  )
})

test.each([
  ['PLANTROOM_PROT', 'PLANTROOM_PORT'],
  ['public-url', 'public_url'],
  ['publicurl', 'public_url'],
  ['x', undefined],
  ['zebra', undefined],
])('the name closest to %s is %s', (name, close) => {
  expect(closestName(name, ['PLANTROOM_PORT', 'public_url', 'trusted_proxies'])).toBe(close)
})
