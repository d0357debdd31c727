import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '@plantroom/contract/version'
import { afterAll, describe, expect, test } from 'vitest'
import { ROOT } from '../../steps.ts'
import { makeDeb } from './dpkg.ts'
import { makeEdgePackage } from './make.ts'
import { CLOUD, debianVersion, EDGE, nodeControl } from './packages.ts'
import { maintainerScripts, unitFor } from './scripts.ts'

const folder = mkdtempSync(join(tmpdir(), 'plantroom-debian-make-'))
afterAll(() => rmSync(folder, { recursive: true }))

const isMissing = (program: string) => spawnSync(program, ['--version']).error !== undefined
const unit = (name: string) => readFileSync(join(ROOT, 'deploy/systemd', name), 'utf8')

describe.skipIf(isMissing('dpkg-deb'))('dpkg-deb', () => {
  test('makes the package of the controller: its program, units and settings, and what opens serial ports', async () => {
    const source = { root: ROOT, work: join(folder, 'work'), time: new Date(1e12), compression: 'none' as const }
    const path = join(folder, await makeEdgePackage(source, 'arm64', folder))
    expect(path).toContain(`plantroom-edge_${VERSION}_arm64.deb`)
    const dpkg = (option: string) => spawnSync('dpkg-deb', [option, path], { encoding: 'utf8' }).stdout
    expect(dpkg('-I')).toContain('Depends: plantroom-node (>= 24')
    const files = dpkg('-c')
    expect(files).toMatch(/-rw-r----- root\/root .* \.\/etc\/plantroom\/edge\.env\n/)
    expect(files).toMatch(/-rwxr-xr-x root\/root .* \.\/usr\/lib\/plantroom\/edge\/bin\/plantroom\n/)
    expect(files).toContain('./usr/lib/systemd/system/plantroom-edge.service')
    expect(files.match(/\.\/usr\/lib\/plantroom\/edge\/node_modules\/.*\.node\n/g)).toEqual([
      expect.stringContaining('/prebuilds/linux-arm64/'),
    ])
    expect(statSync(path).size).toBeLessThan(3e6)

    // It runs, and its text takes one byte per character in memory.
    const tree = join(folder, 'work/plantroom-edge/usr/lib/plantroom/edge')
    expect(readFileSync(join(tree, 'dist/edge-main.js'), 'latin1')).not.toMatch(/[^\0-\x7f]/)
    rmSync(join(tree, 'runtime'))
    const plantroom = (...args: string[]) => spawnSync(join(tree, 'bin/plantroom'), args, { encoding: 'utf8' })
    expect(plantroom('edge', '--help').stdout).toContain('plantroom edge probe FILE')
    expect(plantroom('org', 'list')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('the controller only'),
    })
  })

  test('gives the same bytes for the same content, whenever and by whom the files were made', async () => {
    const make = async (name: string, mode: number) => {
      const tree = mkdtempSync(join(folder, name))
      writeFileSync(join(tree, 'program'), 'text', { mode })
      symlinkSync('program', join(tree, 'link'))
      const out = mkdtempSync(join(folder, 'out-'))
      const made = await makeDeb(tree, nodeControl('24.0.0', 'arm64'), { time: new Date(1e12) }, out)
      return readFileSync(join(out, made))
    }
    expect((await make('a-', 0o700)).equals(await make('b-', 0o755))).toBe(true)
    expect((await make('a-', 0o600)).equals(await make('b-', 0o755))).toBe(false)
  })
})

test.each([EDGE, CLOUD])('the scripts of $name are valid', (pack) => {
  const scripts = maintainerScripts(pack)
  expect(Object.keys(scripts)).toEqual(['postinst', 'prerm', 'postrm'])
  for (const [name, text] of Object.entries(scripts)) {
    const { stderr } = spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' })
    expect([name, stderr]).toEqual([name, ''])
    if (isMissing('shellcheck')) continue
    const { stdout } = spawnSync('shellcheck', ['-s', 'sh', '-'], { input: text, encoding: 'utf8' })
    expect([name, stdout]).toEqual([name, ''])
  }
})

test('units run the installed programs as their own users, on folders of their own', () => {
  const edge = unitFor(EDGE, unit('plantroom-edge.service'))
  expect(edge).toContain('ExecStart=/usr/lib/plantroom/edge/bin/plantroom edge\n')
  expect(edge).toContain('User=plantroom-edge\nStateDirectory=plantroom-edge\n')
  expect(edge).toContain('Environment=PLANTROOM_DATA=/var/lib/plantroom-edge\n')
  const cloud = unitFor(CLOUD, unit('plantroom-cloud.service'))
  expect(cloud).toContain('ExecStart=/usr/lib/plantroom/cloud/bin/plantroom cloud\n')
  for (const text of [edge, cloud, unitFor(CLOUD, unit('plantroom-worker.service'))]) {
    expect(text).not.toContain('/opt/')
    expect(text).toContain('ProtectSystem=strict')
  }
  expect(() => unitFor(EDGE, edge)).toThrow('does not have "ExecStart=/opt/plantroom/plantroom" once')
})

test('a prerelease sorts before its release', () => {
  expect(debianVersion('1.2.0-beta.1')).toBe('1.2.0~beta.1')
  expect(debianVersion('1.2.0')).toBe('1.2.0')
})
