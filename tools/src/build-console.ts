import { join } from 'node:path'
import { buildConsole, inKilobytes } from './build-console/build.ts'
import { start } from './start.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Builds the console if its sources have changed. The `plantroom` script runs it before commands that serve the console. */
async function main(): Promise<number> {
  const built = await buildConsole(ROOT)
  if (built) {
    const { seconds, firstLoad } = built
    console.error(
      `plantroom: built the console in ${seconds.toFixed(1)} s; first load ${inKilobytes(firstLoad)} of script, gzipped`,
    )
  }
  return 0
}

await start('build-console', main)
