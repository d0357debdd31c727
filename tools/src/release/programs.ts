import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildPrograms } from '../build-programs/build.ts'
import { lockfileOf } from './locked.ts'
import { run } from './run.ts'
import { copySerialPort } from './serial-port.ts'
import { writeLauncher } from './service-package.ts'

/** The architectures of Debian packages and images: their names there, and those of npm. */
export const ARCHITECTURES = { amd64: 'x64', arm64: 'arm64' } as const
export type Architecture = keyof typeof ARCHITECTURES

/** Writes the pinned Node of an architecture and its licence to these files. */
export async function writeNode(
  root: string,
  architecture: Architecture,
  to: { program: string; licence: string },
): Promise<void> {
  const work = `${to.program}.npm`
  mkdirSync(work, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(root, 'runtime', name), join(work, name))
  await installFor(architecture, work)
  const node = join(work, 'node_modules', `node-linux-${ARCHITECTURES[architecture]}`)
  for (const [from, target] of [
    ['bin/node', to.program],
    ['LICENSE', to.licence],
  ] as const) {
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(node, from), target)
  }
  rmSync(work, { recursive: true })
}

/** Returns the version of the pinned Node. */
export function nodeVersion(root: string): string {
  const { packages } = JSON.parse(readFileSync(join(root, 'runtime/package-lock.json'), 'utf8'))
  const version = packages[`node_modules/node-linux-${ARCHITECTURES.arm64}`]?.version
  if (version === undefined) throw new Error('runtime/package-lock.json does not name a version of Node')
  return version
}

/** Writes the npm package `plantroom` and its dependencies, with the versions that the checkout was tested with. */
export async function writeCloud(
  root: string,
  servicePackage: string,
  folder: string,
  architecture: Architecture,
): Promise<void> {
  cpSync(servicePackage, folder, { recursive: true })
  const wanted = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const lock = join(folder, 'package-lock.json')
  writeFileSync(lock, lockfileOf(readFileSync(join(root, 'package-lock.json'), 'utf8'), wanted))
  await installFor(architecture, folder)
  rmSync(lock)
}

/** Writes the program of the controller alone, and the one package that it cannot contain. */
export async function writeEdge(root: string, folder: string, architecture: Architecture): Promise<void> {
  await buildPrograms(root, ['packages/edge/src/main.ts'], join(folder, 'dist'), '..', { small: true })
  copySerialPort(root, folder, ARCHITECTURES[architecture])
  writeLauncher(root, folder)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
}

/** npm refuses a package that does not have the checksum of the lockfile. */
async function installFor(architecture: Architecture, folder: string): Promise<void> {
  const target = ['--os=linux', '--libc=glibc', `--cpu=${ARCHITECTURES[architecture]}`]
  const how = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  await run(['npm', 'ci', ...how, ...target], folder)
  // npm's own record of the folder differs from machine to machine.
  rmSync(join(folder, 'node_modules/.package-lock.json'), { force: true })
}
