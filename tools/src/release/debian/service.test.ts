import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ROOT } from '../../steps.ts'
import { writeLauncher } from '../service-package.ts'
import { CLOUD, EDGE } from './packages.ts'
import { serviceScript } from './scripts.ts'

const NOBODY = 65_534
const SETTINGS = `# PLANTROOM_HOST=commented
; another comment
PLANTROOM_PORT=9090
PLANTROOM_OIDC_NAME=Company <SSO>
SMTP_URL="smtps://user:p#ss $(word)@mail.example.com"
PLANTROOM_ADMIN_TOKEN='pla_secret'
not a setting
1BAD=no`

const PRINTED = [
  'PLANTROOM_DATA',
  'PLANTROOM_PORT',
  'PLANTROOM_HOST',
  'PLANTROOM_OIDC_NAME',
  'SMTP_URL',
  'PLANTROOM_ADMIN_TOKEN',
]
/** A Node that prints its user and its environment. */
const NODE = `#!/bin/sh
[ "$1" = --version ] && echo v24.0.0 && exit
echo "uid=$(id -u)"
env | grep -E '^(${PRINTED.join('|')})='
exit 0
`

/** Both packages, as dpkg unpacks them, where every user may look. */
const folder = mkdtempSync('/tmp/plantroom-service-test-')
afterAll(() => rmSync(folder, { recursive: true }))
const at = (...names: string[]) => join(folder, ...names)
const write = (path: string, text: string, mode: number) => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
  writeFileSync(path, text, { mode })
}
chmodSync(folder, 0o755)
for (const pack of [CLOUD, EDGE]) {
  const home = at(pack.home)
  const [data, settings] = [at(pack.data), at(pack.settings)]
  write(join(home, 'bin/service.sh'), serviceScript({ ...pack, user: String(NOBODY), data, settings }), 0o644)
  writeLauncher(ROOT, home)
  for (const name of ['cloud-main', 'cloud-operator', 'cloud-backup', 'edge-main', 'cli-main'])
    write(join(home, 'dist', `${name}.js`), '', 0o644)
  write(settings, SETTINGS, 0o600)
  mkdirSync(data, { recursive: true })
}

write(at('bin/node'), NODE, 0o755)

type Environment = Readonly<Record<string, string>>
function type(uid: number, args: readonly string[], env: Environment = {}, cwd = folder) {
  const program = at(CLOUD.home, 'bin/plantroom')
  const { status, stdout, stderr } = spawnSync(program, args, {
    ...{ cwd, uid, gid: uid, encoding: 'utf8' },
    env: { PATH: `${at('bin')}:/usr/bin:/bin`, ...env },
  })
  if (status !== 0) return { status, stderr }
  return Object.fromEntries(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

const asRoot = (...args: string[]) => type(0, args)

describe.skipIf(process.getuid?.() !== 0)('root', () => {
  test.each([
    ['doctor'],
    ['config', 'check'],
    ['config', 'show', '--json'],
    ['backup', '/tmp/x'],
    ['restore', '/tmp/x'],
    ['support', 'bundle', '/tmp/x'],
  ])('sees with %s what the service sees, as its user', (...args) => {
    expect(asRoot(...args)).toEqual({
      uid: String(NOBODY),
      PLANTROOM_DATA: at(CLOUD.data),
      PLANTROOM_PORT: '9090',
      PLANTROOM_OIDC_NAME: 'Company <SSO>',
      SMTP_URL: 'smtps://user:p#ss $(word)@mail.example.com',
      PLANTROOM_ADMIN_TOKEN: 'pla_secret',
    })
  })

  test('sees with edge doctor what the controller sees, though the package of the cloud serves the command', () => {
    expect(asRoot('edge', 'doctor')).toMatchObject({ uid: String(NOBODY), PLANTROOM_DATA: at(EDGE.data) })
  })

  test('reaches the service with other commands, without its secrets, which could reach another service', () => {
    expect(asRoot('org', 'list')).toEqual({ uid: '0', PLANTROOM_DATA: at(CLOUD.data) })
  })

  test('keeps what it set, its demo, and the environment of a unit', () => {
    expect(type(0, ['doctor'], { PLANTROOM_DATA: '/elsewhere' })).toEqual({ uid: '0', PLANTROOM_DATA: '/elsewhere' })
    expect(type(0, ['doctor'], { PLANTROOM_PORT: '1' })).toMatchObject({ PLANTROOM_PORT: '1', uid: String(NOBODY) })
    mkdirSync(at('with-demo/.plantroom'), { recursive: true })
    expect(type(0, ['org', 'list'], {}, at('with-demo'))).toEqual({ uid: '0' })
    for (const args of [['cloud'], ['edge'], ['demo'], ['doctor', '--help'], ['backup', 'verify', '/tmp/x']])
      expect([args, asRoot(...args)]).toEqual([args, { uid: '0' }])
  })

  test('is needed: others learn so, unless the command is about a file', () => {
    expect(type(NOBODY, ['doctor'])).toEqual({
      status: 1,
      stderr: 'plantroom: run this command as root, so that it sees what the service sees: sudo plantroom doctor\n',
    })
    for (const args of [
      ['backup', 'verify', '/tmp/x'],
      ['config', 'check', '/tmp/x'],
      ['org', 'list'],
    ])
      expect([args, type(NOBODY, args)]).toEqual([args, { uid: String(NOBODY) }])
  })
})
