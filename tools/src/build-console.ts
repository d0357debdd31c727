import { join } from 'node:path'
import { bringConsole, inKilobytes } from './build-console-bring.ts'
import { start } from './start.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Builds the console where its sources have changed since it was built. The front door runs it before what needs it. */
async function main(): Promise<number> {
  const built = await bringConsole(ROOT)
  if (built) {
    const { seconds, firstLoad } = built
    console.error(
      `plantroom: built the console in ${seconds.toFixed(1)} s; first load ${inKilobytes(firstLoad)} of script, gzipped`,
    )
  }
  return 0
}

await start('build-console', main)
