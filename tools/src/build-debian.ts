import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildConsole } from './build-console/build.ts'
import { makeDebianPackages } from './release/debian/make.ts'
import { ARCHITECTURES, type Architecture } from './release/programs.ts'
import { timeOfCommit } from './release/run.ts'
import { writeServicePackage } from './release/service-package.ts'
import { start } from './start.ts'
import { ROOT } from './steps.ts'

const USAGE = `node tools/src/build-debian.ts FOLDER [--architecture amd64|arm64] [--version VERSION] [--fast]

Makes the Debian packages of a release alone, for one architecture or both. --fast does not compress them.`

await start('build-debian', async () => {
  const { values, positionals } = parseArgs({
    options: {
      architecture: { type: 'string', multiple: true },
      version: { type: 'string' },
      fast: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  const [folder] = positionals
  const architectures = values.architecture ?? Object.keys(ARCHITECTURES)
  if (
    folder === undefined ||
    !architectures.every((name): name is Architecture => Object.hasOwn(ARCHITECTURES, name))
  ) {
    console.error(USAGE)
    return 2
  }
  const out = resolve(folder)
  mkdirSync(out, { recursive: true })
  const work = mkdtempSync(join(out, '.making-'))
  try {
    await buildConsole(ROOT)
    await writeServicePackage(ROOT, join(work, 'plantroom'))
    const source = { root: ROOT, work: join(work, 'debian'), time: await timeOfCommit(ROOT), version: values.version }
    const compression = values.fast ? 'none' : 'xz'
    await makeDebianPackages({ ...source, compression }, join(work, 'plantroom'), out, architectures)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return 0
})
