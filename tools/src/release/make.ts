import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { VERSION } from '@plantroom/contract/version'
import { buildConsole } from '../build-console/build.ts'
import { buildHelp } from '../build-help/build.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { changesOf } from './changes.ts'
import { writeClientPackage } from './client-package.ts'
import { makeDebianPackages } from './debian/make.ts'
import { buildImages } from './images/build.ts'
import type { DebianPackage } from './images/root.ts'
import type { Architecture } from './programs.ts'
import { run, timeOfCommit } from './run.ts'
import { writeServicePackage } from './service-package.ts'

const SUMS = 'SHA256SUMS'

export interface ReleaseFile {
  name: string
  bytes: number
}

export interface ReleaseOptions {
  /** The file of a secret key of minisign. */
  readonly key?: string | undefined
  /** True leaves the packages of Debian out. */
  readonly npmOnly?: boolean | undefined
  /** Makes container images for these architectures, too. */
  readonly images?: readonly Architecture[]
}

/** Makes a release of a checkout in a new folder: all of it, or nothing. The same checkout gives the same bytes. */
export async function makeRelease(
  root: string,
  folder: string,
  { key, npmOnly = false, images = [] }: ReleaseOptions = {},
): Promise<ReleaseFile[]> {
  if (existsSync(folder)) throw new Error(`${folder} is there already: remove it, or name another folder`)
  mkdirSync(dirname(folder), { recursive: true })
  const work = mkdtempSync(`${folder}.making-`)
  const made = join(work, 'made')
  const text = (name: string) => readFileSync(join(root, name), 'utf8')
  mkdirSync(made)
  try {
    await buildConsole(root)
    await buildHelp(root)
    await writeServicePackage(root, join(work, 'plantroom'))
    await writeClientPackage(root, join(work, 'client'))
    for (const name of ['plantroom', 'client']) await pack(join(work, name), made)
    const time = await timeOfCommit(root)
    if (!npmOnly) await makeDebianPackages({ root, work: join(work, 'debian'), time }, join(work, 'plantroom'), made)
    const debian = await makeImages(root, join(work, 'plantroom'), made, images)
    const bom = billOfMaterials(text('package-lock.json'), text('runtime/package-lock.json'), time, debian)
    writeFileSync(join(made, `plantroom-${VERSION}.cdx.json`), bom)
    writeFileSync(join(made, 'CHANGES.md'), changesOf(text('CHANGELOG.md'), VERSION))
    writeSums(made)
    if (key !== undefined) await sign(join(made, SUMS), key)
    renameSync(made, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return readdirSync(folder).map((name) => ({ name, bytes: statSync(join(folder, name)).size }))
}

/** npm gives every file the same time, so the archive depends on the content alone. */
async function pack(source: string, folder: string): Promise<void> {
  await run(['npm', 'pack', '--silent', '--pack-destination', folder], source)
}

/** In the form that `sha256sum --check` reads. */
function writeSums(folder: string): void {
  const lines = readdirSync(folder)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
  writeFileSync(join(folder, SUMS), lines.join(''))
}

async function sign(path: string, key: string): Promise<void> {
  await run(['minisign', '-S', '-s', key, '-m', path, '-t', `Plantroom ${VERSION}`], '.').catch((error: Error) => {
    throw new Error(
      `${SUMS} could not be signed: ${error.message}; is minisign installed, and is ${key} its secret key?`,
    )
  })
}

async function makeImages(
  root: string,
  servicePackage: string,
  out: string,
  architectures: readonly Architecture[],
): Promise<DebianPackage[]> {
  const commit = (await run(['git', 'rev-parse', 'HEAD'], root)).trim()
  const madeAt = await timeOfCommit(root)
  const contained: DebianPackage[] = []
  for (const architecture of architectures) {
    contained.push(...(await buildImages(root, servicePackage, out, { architecture, madeAt, commit })))
  }
  return contained
}
