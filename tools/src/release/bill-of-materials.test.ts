import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../steps.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { packagesIn } from './images/root.ts'

test('the list of contents has the packages of Debian in the images, as their root lists them', () => {
  const root = mkdtempSync(join(tmpdir(), 'plantroom-materials-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const list = join(root, 'var/lib/dpkg/status.d')
  mkdirSync(list, { recursive: true })
  writeFileSync(join(list, 'libc6'), 'Package: libc6\nVersion: 2.36-9+deb12u10\nArchitecture: amd64\nDepends: x\n')
  writeFileSync(join(list, 'busybox-static'), 'Package: busybox-static\nArchitecture: amd64\nVersion: 1:1.35.0-4+b3\n')
  const text = (name: string) => readFileSync(join(ROOT, name), 'utf8')
  const locks = [text('package-lock.json'), text('runtime/package-lock.json')] as const
  const listed = (packages = packagesIn(root)) =>
    JSON.parse(billOfMaterials(...locks, new Date(0), packages)).components
  const names = listed().map(({ purl }: { purl: string }) => purl)
  expect(names).toContain('pkg:deb/debian/libc6@2.36-9%2Bdeb12u10?arch=amd64&distro=bookworm')
  expect(names).toContain('pkg:deb/debian/busybox-static@1%3A1.35.0-4%2Bb3?arch=amd64&distro=bookworm')
  expect(names.length - listed([]).length).toBe(2)
  expect(new Set(names).size).toBe(names.length)
})
