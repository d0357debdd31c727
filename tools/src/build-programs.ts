import { join, resolve } from 'node:path'
import { buildPrograms, PROGRAMS } from './build-programs/build.ts'
import { start } from './start.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Builds the programs into `dist`; the `plantroom` script runs it when a source has changed. With arguments it builds the
 * named programs into the named folder.
 */
await start('build-programs', async () => {
  const [out = 'dist', ...named] = process.argv.slice(2)
  await buildPrograms(ROOT, named.length > 0 ? named : PROGRAMS, resolve(ROOT, out))
  return 0
})
