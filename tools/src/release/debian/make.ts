import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { VERSION } from '@plantroom/contract/version'
import { ARCHITECTURES, type Architecture, nodeVersion, writeCloud, writeEdge, writeNode } from '../programs.ts'
import { DEBIAN_PLACES, DEPLOY } from '../service-package.ts'
import { type Compression, makeDeb } from './dpkg.ts'
import {
  CLOUD,
  debianVersion,
  EDGE,
  MAINTAINER,
  NODE_HOME,
  nodeControl,
  type ServicePackage,
  serviceControl,
} from './packages.ts'
import { maintainerScripts, serviceScript, unitFor } from './scripts.ts'

/** What a controller's operator needs to read. The cloud's package has all pages. */
const EDGE_PAGES = ['how-to/install-a-release.md', 'how-to/run-in-production.md', 'reference/settings.md']

const COPYRIGHT = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: plantroom
Comment: plantroom-VERSION.cdx.json of the release lists the packages of others that it contains, with their licences.

Files: *
Copyright: the authors of Plantroom
License: Apache-2.0
 On Debian systems, the text of the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0.
`

export interface Source {
  /** The checkout. */
  readonly root: string
  /** An empty folder for the trees of the packages. */
  readonly work: string
  /** The time that all files get. */
  readonly time: Date
  /** Another version than that of the checkout, for tests of upgrades. */
  readonly version?: string | undefined
  /** `none` is for tests: xz takes minutes. */
  readonly compression?: Compression | undefined
}

/** Makes all packages for these architectures. `service` is the content of the npm package `plantroom`. */
export async function makeDebianPackages(
  source: Source,
  service: string,
  out: string,
  architectures = Object.keys(ARCHITECTURES) as Architecture[],
): Promise<void> {
  for (const architecture of architectures) {
    await makeEdgePackage(source, architecture, out)
    await makeNodePackage(source, architecture, out)
    await makeCloudPackage(source, service, architecture, out)
  }
}

/** The controller: one program, and the native code that opens serial ports. */
export async function makeEdgePackage(source: Source, architecture: Architecture, out: string): Promise<string> {
  const { root, version = VERSION } = source
  const tree = newTree(source, EDGE.name)
  await writeEdge(root, join(tree, EDGE.home), architecture)
  linkNode(tree, EDGE)
  writeServices(source, tree, EDGE)
  writePages(root, tree, EDGE, EDGE_PAGES)
  const control = serviceControl(EDGE, version, nodeVersion(root), architecture, maintainerScripts(EDGE))
  return await makeDeb(tree, control, source, out)
}

/** All programs, the console and the dependencies that a build cannot contain. */
async function makeCloudPackage(
  source: Source,
  service: string,
  architecture: Architecture,
  out: string,
): Promise<string> {
  const { root, version = VERSION } = source
  const tree = newTree(source, CLOUD.name)
  await writeCloud(root, service, join(tree, CLOUD.home), architecture)
  for (const name of ['LICENSE', 'CHANGELOG.md', 'README.md']) rmSync(join(tree, CLOUD.home, name))
  // Beside the pages, whose links lead there.
  cpSync(join(root, DEPLOY), join(tree, '/usr/share/doc', CLOUD.name, DEPLOY), { recursive: true })
  rmSync(join(tree, CLOUD.home, DEPLOY), { recursive: true })
  for (const [path, place] of Object.entries(DEBIAN_PLACES)) {
    mkdirSync(dirname(join(tree, place)), { recursive: true })
    const text = readFileSync(join(service, path))
    writeFileSync(join(tree, place), place.endsWith('.gz') ? gzipSync(text, { level: 9 }) : text)
  }
  linkNode(tree, CLOUD)
  writeServices(source, tree, CLOUD)
  writePages(root, tree, CLOUD, ['.'])
  const control = serviceControl(CLOUD, version, nodeVersion(root), architecture, maintainerScripts(CLOUD))
  return await makeDeb(tree, control, source, out)
}

/** Node as npm has it, without the files for compilers. */
async function makeNodePackage(source: Source, architecture: Architecture, out: string): Promise<string> {
  const { root } = source
  const tree = newTree(source, 'plantroom-node')
  await writeNode(root, architecture, {
    program: join(tree, NODE_HOME, 'bin/node'),
    licence: join(tree, '/usr/share/doc/plantroom-node/copyright'),
  })
  return await makeDeb(tree, nodeControl(nodeVersion(root), architecture), source, out)
}

function newTree({ work }: Source, name: string): string {
  const tree = join(work, name)
  rmSync(tree, { recursive: true, force: true })
  mkdirSync(tree, { recursive: true })
  return tree
}

/** The launcher takes the Node in this folder, if there is one. */
function linkNode(tree: string, { home }: ServicePackage): void {
  symlinkSync('../node', join(tree, home, 'runtime'))
}

function writeServices({ root, time, version = VERSION }: Source, tree: string, pack: ServicePackage): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  for (const name of pack.units) {
    write(`/usr/lib/systemd/system/${name}`, unitFor(pack, readFileSync(join(root, 'deploy/systemd', name), 'utf8')))
  }
  write(`${pack.home}/bin/service.sh`, serviceScript(pack))
  write(pack.settings, readFileSync(join(import.meta.dirname, pack.settings.replace('/etc/plantroom/', '')), 'utf8'))
  write(`/usr/share/doc/${pack.name}/copyright`, COPYRIGHT)
  // Debian expects its own format. The changes themselves are in a file of the release.
  const changes = `${pack.name} (${debianVersion(version)}) stable; urgency=medium\n\n  * See CHANGES.md of the release.\n\n -- ${MAINTAINER}  ${time.toUTCString().replace('GMT', '+0000')}\n`
  mkdirSync(join(tree, 'usr/share/doc', pack.name), { recursive: true })
  writeFileSync(join(tree, 'usr/share/doc', pack.name, 'changelog.gz'), gzipSync(changes, { level: 9 }))
}

function writePages(root: string, tree: string, pack: ServicePackage, pages: readonly string[]): void {
  for (const page of pages) {
    cpSync(join(root, 'docs', page), join(tree, '/usr/share/doc', pack.name, 'docs', page), { recursive: true })
  }
}
