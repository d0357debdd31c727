import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { VERSION } from '@plantroom/contract/version'
import { describe, expect, onTestFinished, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const DEPLOY = join(ROOT, 'deploy')

const isMissing = (program: string) => spawnSync(program, ['--version']).error !== undefined

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-deploy-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test.skipIf(isMissing('caddy'))('Caddy accepts the Caddyfile', () => {
  const folder = temporaryFolder()
  const { status, stderr } = spawnSync(
    'caddy',
    ['validate', '--adapter', 'caddyfile', '--config', join(DEPLOY, 'Caddyfile')],
    { encoding: 'utf8', env: { ...process.env, HOME: folder } },
  )
  expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
})

test.skipIf(isMissing('systemd-analyze'))('systemd accepts the units, and finds them well protected', () => {
  const folder = temporaryFolder()
  const units = globSync('systemd/*.{service,path}', { cwd: DEPLOY }).map((path) => {
    const unit = join(folder, basename(path))
    writeFileSync(
      unit,
      readFileSync(join(DEPLOY, path), 'utf8').replace('=/opt/plantroom/plantroom ', `=${ROOT}/plantroom `),
    )
    return unit
  })
  expect(units).toHaveLength(5)
  const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], { encoding: 'utf8' })
  expect(stderr.split('\n').filter((line) => line.includes(folder) || /^plantroom/.test(line))).toEqual([])

  for (const unit of units.filter((path) => /(cloud|worker|edge)\.service$/.test(path))) {
    const security = ['security', '--offline=true', '--threshold=25', '--no-pager', unit]
    expect([unit, spawnSync('systemd-analyze', security).status]).toEqual([unit, 0])
  }
})

describe.each(['cloud', 'worker', 'edge'])('the unit of the %s', (program) => {
  const lines = readFileSync(join(DEPLOY, `systemd/plantroom-${program}.service`), 'utf8').split('\n')
  const valuesOf = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`${name}=`) ? line.slice(name.length + 1).split(' ') : []))

  // Node lists the addresses of the machine over netlink, when a server listens on 0.0.0.0.
  test('allows every family of addresses that the program uses', () => {
    expect(valuesOf('RestrictAddressFamilies').toSorted()).toEqual(['AF_INET', 'AF_INET6', 'AF_NETLINK', 'AF_UNIX'])
  })

  test('lets the program that people reach open port 443, and no other program', () => {
    const capabilities = program === 'cloud' ? ['CAP_NET_BIND_SERVICE'] : []
    expect(valuesOf('AmbientCapabilities')).toEqual(capabilities)
    expect(valuesOf('CapabilityBoundingSet').filter((name) => name !== '')).toEqual(capabilities)
  })
})

describe.each(['compose.yaml', 'one-machine.yaml'])('deploy/compose/%s', (name) => {
  const file = readFileSync(join(DEPLOY, 'compose', name), 'utf8')

  test('uses the images of this version, by their tags after loading', () => {
    const images = [...file.matchAll(/image: \$\{(?:CLOUD|EDGE)_IMAGE:-localhost\/(plantroom(?:-edge)?):([^}]+)\}/g)]
    expect(images.length).toBeGreaterThan(0)
    for (const [, image = '', version] of images) {
      expect(version).toBe(VERSION)
      expect(readFileSync(join(DEPLOY, 'image/Containerfile'), 'utf8')).toContain(`FROM base AS ${image}\n`)
    }
  })

  test('uses only settings that exist', () => {
    const settings = readFileSync(join(ROOT, 'docs/reference/settings.md'), 'utf8')
    const used = [
      ...file.matchAll(/^ +(?:environment: \{ )?([A-Z_]+): /gm),
      ...file.matchAll(/, (PLANTROOM_[A-Z_]+): /g),
    ]
    const ours = used.map(([, setting = '']) => setting).filter((setting) => /^(PLANTROOM|MQTT)_/.test(setting))
    expect(ours.length).toBeGreaterThan(2)
    for (const setting of ours) expect(settings).toContain(`\`${setting}\``)
  })
})
