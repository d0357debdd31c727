import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from './steps.ts'

/** A Node that says its version and records what it would run. */
const node = (version: string) => `#!/bin/sh
[ "$1" = --version ] && echo ${version} && exit 0
echo "node $*" >>"$LOG"
case "$1" in */resolve-lockfile.mjs) for folder; do [ -d "$folder" ] && echo '{}' >"$folder/npm-shrinkwrap.json"; done ;; esac
true
`
/**
 * An npm that records its arguments, and whether the lockfile has addresses, and installs a Node. "offline" and "always"
 * say when it fails.
 */
const NPM = `#!/bin/sh
[ -f npm-shrinkwrap.json ] && addresses=' (addresses)'
echo "npm $*$addresses" >>"$LOG"
case "$FAILS $*" in always*|offline*--prefer-offline*) echo 'npm has failed' >&2; exit 1 ;; esac
rm -rf node_modules
mkdir -p node_modules/node-linux-any/bin
case "$PWD" in */runtime) cp "$BIN/node-24" node_modules/node-linux-any/bin/node ;; esac
`

/** A bare clone on a machine with an old Node. */
function bareClone() {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-wrapper-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const clone = join(folder, 'clone')
  const bin = join(folder, 'bin')
  const log = join(folder, 'log')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    if (path.startsWith(bin)) chmodSync(path, 0o755)
  }
  for (const [name, text] of Object.entries({ node: node('v20.0.0'), 'node-24': node('v24.0.0'), npm: NPM }))
    write(join(bin, name), text)
  for (const path of ['plantroom', 'packages/cli/launch.sh']) {
    mkdirSync(join(clone, dirname(path)), { recursive: true })
    cpSync(join(ROOT, path), join(clone, path))
  }
  for (const path of [
    'package-lock.json',
    'runtime/package-lock.json',
    'runtime/package.json',
    'packages/web/package.json',
  ])
    write(join(clone, path), '{}')
  mkdirSync(join(clone, 'dist'))
  const run = (command: string, fails = '') => {
    rmSync(log, { force: true })
    const env = { PATH: `${bin}:/usr/bin:/bin`, LOG: log, BIN: bin, FAILS: fails }
    const { status, stderr } = spawnSync(join(clone, 'plantroom'), [command], { env, encoding: 'utf8' })
    const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().replaceAll(`${clone}/`, '').split('\n') : []
    const npm = lines.filter((line) => line.startsWith('npm')).toSorted()
    return { status, stderr, npm, last: lines.at(-1), lines }
  }
  return { clone, run, write: (path: string, text: string) => write(join(clone, path), text) }
}

const OFFLINE = 'npm ci --prefer-offline --silent'
const FIRST = [`${OFFLINE} (addresses)`, `${OFFLINE} --omit=dev (addresses)`].toSorted()
const DEMO = 'node --max-semi-space-size=4 dist/cli-main.js demo'

test('the first start installs Node and what runs, builds programs and console, and starts', () => {
  const { run } = bareClone()
  const first = run('demo')
  expect([first.status, first.npm]).toEqual([0, FIRST])
  expect(first.lines.filter((line) => /build-(programs|console)/.test(line)).toSorted()).toEqual([
    'node tools/src/build-console.ts',
    'node tools/src/build-programs.ts',
  ])
  expect(first.last).toBe(DEMO)
  expect(run('demo')).toMatchObject({ status: 0, npm: [], lines: ['node tools/src/build-console.ts', DEMO] })
})

test('a command for developers adds the development dependencies, which stay', () => {
  const { clone, run, write } = bareClone()
  run('demo')
  expect(run('check')).toMatchObject({
    npm: [`${OFFLINE} (addresses)`],
    last: 'node --max-semi-space-size=4 tools/src/check.ts',
  })
  // One of the runtime, which is there already, would be older than the next lockfile.
  expect(globSync('**/npm-shrinkwrap.json', { cwd: clone })).toEqual([])
  expect(run('demo').npm).toEqual([])
  write('node_modules/vitest/package.json', '{}')
  write('package-lock.json', '{ "changed": true }')
  expect(run('demo').npm).toEqual([`${OFFLINE} (addresses)`])
})

test('packages that the cache does not have come from the registry', () => {
  const { clone, run } = bareClone()
  const online = 'npm ci --loglevel=error'
  const { status, stderr, npm, last } = run('demo', 'offline')
  expect([status, npm]).toEqual([0, [online, `${online} --omit=dev`, ...FIRST]])
  expect([stderr.includes('npm has failed'), last]).toEqual([false, DEMO])
  expect(globSync('**/npm-shrinkwrap.json', { cwd: clone })).toEqual([])
})

test('an installation that fails says why, starts nothing, and is tried again', () => {
  const { run } = bareClone()
  const failed = run('demo', 'always')
  expect(failed.status).toBe(1)
  expect(failed.stderr).toMatch(/npm has failed\nplantroom: could not install Node 24: see the lines above\n$/)
  expect(failed.lines.filter((line) => /^node (?!runtime)/.test(line))).toEqual([])
  expect(run('demo')).toMatchObject({ status: 0, last: DEMO })
})

test('addresses follow the registry of the machine, and everything else the lockfile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-wrapper-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const packages = {
    '': { name: 'root' },
    'node_modules/plain': { version: '1.2.3', integrity: 'sha512-a' },
    'node_modules/@scope/deep/node_modules/@other/name': { version: '4.5.6', integrity: 'sha512-b', dev: true },
    'node_modules/alias': { name: 'original', version: '7.8.9', integrity: 'sha512-c' },
    'node_modules/linked': { resolved: 'packages/linked', link: true },
    'node_modules/other-platform': { version: '1.0.0', optional: true },
  }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
  const env = { ...process.env, npm_config_registry: 'http://packages.example/mirror/' }
  const { status } = spawnSync(process.execPath, [join(ROOT, 'runtime/resolve-lockfile.mjs'), folder], { env })
  const made = JSON.parse(readFileSync(join(folder, 'npm-shrinkwrap.json'), 'utf8'))
  const addresses = {
    'node_modules/plain': 'plain/-/plain-1.2.3.tgz',
    'node_modules/@scope/deep/node_modules/@other/name': '@other/name/-/name-4.5.6.tgz',
    'node_modules/alias': 'original/-/original-7.8.9.tgz',
  }
  expect([status, made]).toEqual([
    0,
    {
      lockfileVersion: 3,
      packages: Object.fromEntries(
        Object.entries(packages).map(([path, entry]) => {
          const address = addresses[path as keyof typeof addresses]
          return [path, address ? { ...entry, resolved: `http://packages.example/mirror/${address}` } : entry]
        }),
      ),
    },
  ])
})
