import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPrograms } from '../../build-programs/build.ts'
import { lockfileOf } from '../locked.ts'
import { run } from '../run.ts'

/** The names of an architecture: of Debian and images, and of npm. */
export const ARCHITECTURES = { amd64: 'x64', arm64: 'arm64' } as const
export type Architecture = keyof typeof ARCHITECTURES

/** Writes the pinned Node of an architecture, and a link to the launcher. */
export async function writeRuntime(root: string, folder: string, architecture: Architecture): Promise<void> {
  const work = `${folder}.npm`
  mkdirSync(work, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(root, 'runtime', name), join(work, name))
  await installFor(architecture, work)
  const node = join(work, 'node_modules', `node-linux-${ARCHITECTURES[architecture]}`)
  mkdirSync(join(folder, 'usr/bin'), { recursive: true })
  cpSync(join(node, 'bin/node'), join(folder, 'usr/bin/node'))
  mkdirSync(join(folder, 'usr/share/doc/node'), { recursive: true })
  cpSync(join(node, 'LICENSE'), join(folder, 'usr/share/doc/node/copyright'))
  rmSync(work, { recursive: true })
}

/** Writes the npm package `plantroom` and its dependencies, with the versions that the checkout was tested with. */
export async function writeCloud(root: string, servicePackage: string, folder: string, architecture: Architecture) {
  cpSync(servicePackage, folder, { recursive: true })
  const wanted = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const lock = join(folder, 'package-lock.json')
  writeFileSync(lock, lockfileOf(readFileSync(join(root, 'package-lock.json'), 'utf8'), wanted))
  await installFor(architecture, folder)
  rmSync(lock)
}

/** Writes the program of the controller alone. It needs no package. */
export async function writeEdge(root: string, servicePackage: string, folder: string): Promise<void> {
  await buildPrograms(root, ['packages/edge/src/main.ts'], join(folder, 'dist'), '..')
  for (const name of ['bin', 'LICENSE', 'CHANGELOG.md'])
    cpSync(join(servicePackage, name), join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  chmodSync(join(folder, 'bin/plantroom'), 0o755)
}

async function installFor(architecture: Architecture, folder: string): Promise<void> {
  const target = ['--os=linux', '--libc=glibc', `--cpu=${ARCHITECTURES[architecture]}`]
  const how = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  await run(['npm', 'ci', ...how, ...target], folder)
  // npm's own record of the folder differs from machine to machine.
  rmSync(join(folder, 'node_modules/.package-lock.json'), { force: true })
}
