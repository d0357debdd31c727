import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '@plantroom/contract/version'
import { buildConsole } from '../build-console/build.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { changesOf } from './changes.ts'
import { writeClientPackage } from './client-package.ts'
import { run } from './run.ts'
import { writeServicePackage } from './service-package.ts'

const SUMS = 'SHA256SUMS'

export interface ReleaseFile {
  name: string
  bytes: number
}

/** Makes a release of a checkout in an empty folder. The same checkout gives the same bytes. */
export async function makeRelease(root: string, folder: string, key?: string): Promise<ReleaseFile[]> {
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty: remove it, or name another folder`)
  const text = (name: string) => readFileSync(join(root, name), 'utf8')
  const madeAt = await timeOfCommit(root)
  await buildConsole(root)
  const stage = mkdtempSync(join(tmpdir(), 'plantroom-release-'))
  try {
    await writeServicePackage(root, join(stage, 'plantroom'))
    await writeClientPackage(root, join(stage, 'client'))
    for (const name of ['plantroom', 'client']) await pack(join(stage, name), folder)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
  writeFileSync(join(folder, `plantroom-${VERSION}.cdx.json`), billOfMaterials(text('package-lock.json'), madeAt))
  writeFileSync(join(folder, 'CHANGES.md'), changesOf(text('CHANGELOG.md'), VERSION))
  writeSums(folder)
  if (key !== undefined) await sign(join(folder, SUMS), key)
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

async function timeOfCommit(root: string): Promise<Date> {
  return new Date(Number(await run(['git', 'log', '-1', '--format=%ct'], root)) * 1000)
}
