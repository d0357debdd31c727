import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildConsole } from './build-console/build.ts'
import { makeDebianPackages, makeEdgePackage, type Source } from './release/debian/make.ts'
import { ARCHITECTURES, type Architecture } from './release/programs.ts'
import { timeOfCommit } from './release/run.ts'
import { writeServicePackage } from './release/service-package.ts'
import { start } from './start.ts'
import { ROOT } from './steps.ts'

const USAGE = `node tools/src/build-debian.ts FOLDER [--architecture amd64|arm64] [--version VERSION] [--fast] [--edge]

Makes the Debian packages of a release alone, for one architecture or both. --fast does not compress them.
--edge makes only the one of the controller.`

await start('build-debian', async () => {
  const { values, positionals } = parseArgs({
    options: {
      architecture: { type: 'string', multiple: true },
      version: { type: 'string' },
      fast: { type: 'boolean' },
      edge: { type: 'boolean' },
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
    const source: Source = {
      ...{ root: ROOT, work: join(work, 'debian'), time: await timeOfCommit(ROOT), version: values.version },
      compression: values.fast ? 'none' : 'xz',
    }
    if (values.edge) {
      for (const architecture of architectures) await makeEdgePackage(source, architecture, out)
    } else {
      await buildConsole(ROOT)
      await writeServicePackage(ROOT, join(work, 'plantroom'))
      await makeDebianPackages(source, join(work, 'plantroom'), out, architectures)
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return 0
})
