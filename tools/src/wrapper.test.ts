import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from './steps.ts'

/** A Node that says its version and records what it would run. */
const node = (version: string) => `#!/bin/sh
[ "$1" = --version ] && echo ${version} && exit 0
echo "node $*" >>"$LOG"
`
/** An npm that records its arguments and installs a Node. "offline" and "always" say when it fails. */
const NPM = `#!/bin/sh
echo "npm $*" >>"$LOG"
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
const DEMO = 'node --max-semi-space-size=4 dist/cli-main.js demo'

test('the first start installs Node and what runs, builds programs and console, and starts', () => {
  const { run } = bareClone()
  const first = run('demo')
  expect([first.status, first.npm]).toEqual([0, [OFFLINE, `${OFFLINE} --omit=dev`]])
  expect(first.lines.filter((line) => /build-(programs|console)/.test(line)).toSorted()).toEqual([
    'node tools/src/build-console.ts',
    'node tools/src/build-programs.ts',
  ])
  expect(first.last).toBe(DEMO)
  expect(run('demo')).toMatchObject({ status: 0, npm: [], lines: ['node tools/src/build-console.ts', DEMO] })
})

test('a command for developers adds the development dependencies, which stay', () => {
  const { run, write } = bareClone()
  run('demo')
  expect(run('check')).toMatchObject({ npm: [OFFLINE], last: 'node --max-semi-space-size=4 tools/src/check.ts' })
  expect(run('demo').npm).toEqual([])
  write('node_modules/vitest/package.json', '{}')
  write('package-lock.json', '{ "changed": true }')
  expect(run('demo').npm).toEqual([OFFLINE])
})

test('packages that the cache does not have come from the registry', () => {
  const { run } = bareClone()
  const online = 'npm ci --loglevel=error'
  const { status, stderr, npm, last } = run('demo', 'offline')
  expect([status, npm]).toEqual([0, [online, `${online} --omit=dev`, OFFLINE, `${OFFLINE} --omit=dev`]])
  expect([stderr.includes('npm has failed'), last]).toEqual([false, DEMO])
})

test('an installation that fails says why, starts nothing, and is tried again', () => {
  const { run } = bareClone()
  const failed = run('demo', 'always')
  expect(failed.status).toBe(1)
  expect(failed.stderr).toMatch(/npm has failed\nplantroom: could not install Node 24: see the lines above\n$/)
  expect(failed.lines.filter((line) => line.startsWith('node'))).toEqual([])
  expect(run('demo')).toMatchObject({ status: 0, last: DEMO })
})
