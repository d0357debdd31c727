import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '@plantroom/contract/version'
import { type Architecture, writeCloud, writeEdge, writeNode } from '../programs.ts'
import { run } from '../run.ts'
import { type DebianPackage, packagesIn, SUITE, writeRoot } from './root.ts'

/** The stages of `deploy/image/Containerfile`, with what each is for. */
const IMAGES = {
  plantroom: 'Cloud, worker and command line of Plantroom',
  'plantroom-edge': 'The controller of Plantroom',
} as const

export const imageFile = (name: keyof typeof IMAGES, architecture: Architecture) =>
  `${name}-${VERSION}-${architecture}.oci.tar`

/**
 * Makes the images of an architecture as OCI archives in `out`, without a daemon. `servicePackage` is the unpacked npm
 * package `plantroom`. The same checkout and the same packages of Debian give the same bytes. Returns these packages.
 */
export async function buildImages(
  root: string,
  servicePackage: string,
  out: string,
  { architecture, madeAt, commit }: { architecture: Architecture; madeAt: Date; commit: string },
): Promise<DebianPackage[]> {
  const work = mkdtempSync(join(tmpdir(), 'plantroom-images-'))
  const context = join(work, 'context')
  try {
    mkdirSync(context)
    await writeRoot(join(context, 'root'), architecture)
    await writeNode(root, architecture, {
      program: join(context, 'runtime/usr/bin/node'),
      licence: join(context, 'runtime/usr/share/doc/node/copyright'),
    })
    symlinkSync('/opt/plantroom/bin/plantroom', join(context, 'runtime/usr/bin/plantroom'))
    mkdirSync(join(context, 'data/plantroom'), { recursive: true })
    await writeCloud(root, servicePackage, join(context, 'cloud'), architecture)
    await writeEdge(root, join(context, 'edge'), architecture)
    for (const name of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, name), join(context, 'edge', name))
    // The user of the image reads everything, whatever the umask of this machine is.
    await run(['chmod', '-R', 'a+rX,go-w', context], '.')
    await run(['chmod', '1777', join(context, 'root/tmp')], '.')
    // A new volume gets these rights: others on the machine must not look into it.
    await run(['chmod', '700', join(context, 'data/plantroom')], '.')
    cpSync(join(root, 'deploy/image/Containerfile'), join(context, 'Containerfile'))
    for (const [name, title] of Object.entries(IMAGES) as [keyof typeof IMAGES, string][]) {
      const labels = labelsOf(name, title, madeAt, commit)
      await buildImage(work, name, join(out, imageFile(name, architecture)), { architecture, madeAt, labels })
    }
    return packagesIn(join(context, 'root'))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function buildImage(
  work: string,
  name: string,
  file: string,
  options: { architecture: Architecture; madeAt: Date; labels: readonly string[] },
): Promise<void> {
  // Images and containers of the machine stay as they are: these have a store of their own, which needs no overlay.
  const store = ['--root', join(work, 'store'), '--runroot', join(work, 'run'), '--storage-driver', 'vfs']
  const labels = options.labels.map((label) => `--label=${label}`)
  const timestamp = `--timestamp=${options.madeAt.getTime() / 1000}`
  const arch = `--platform=linux/${options.architecture}`
  const build = [
    'build',
    '--quiet',
    '--isolation=chroot',
    '--format=oci',
    '--pull=never',
    '--layers',
    `--target=${name}`,
  ]
  try {
    const id = await run(['buildah', ...store, ...build, timestamp, arch, ...labels, join(work, 'context')], work)
    const layout = join(work, name)
    await run(['buildah', ...store, 'push', '--quiet', id.trim(), `oci:${layout}:${name}:${VERSION}`], work)
    await archive(layout, file, options.madeAt)
  } catch (error) {
    throw new Error(`the image ${name} could not be built: ${(error as Error).message}; is buildah installed?`)
  }
}

/** Packs an OCI layout. buildah could, but writes the time of day into the archive. */
async function archive(layout: string, file: string, madeAt: Date): Promise<void> {
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX', '--format=gnu']
  const time = `--mtime=@${madeAt.getTime() / 1000}`
  await run(['tar', '--create', '--file', file, ...same, time, 'blobs', 'index.json', 'oci-layout'], layout)
}

function labelsOf(name: string, title: string, madeAt: Date, commit: string): string[] {
  const labels = {
    title: name,
    description: title,
    version: VERSION,
    revision: commit,
    created: madeAt.toISOString(),
    licenses: 'Apache-2.0',
    vendor: 'Plantroom',
    'base.name': `debian:${SUITE}`,
  }
  return Object.entries(labels).map(([key, value]) => `org.opencontainers.image.${key}=${value}`)
}
