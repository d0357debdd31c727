import { join } from 'node:path'
import { buildConsole, inKilobytes } from './build-console/build.ts'
import { buildHelp } from './build-help/build.ts'
import { start } from './start.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Builds the console and the help if their sources have changed. The `plantroom` script runs it before commands that serve them. */
async function main(): Promise<number> {
  const built = await buildConsole(ROOT)
  if (built) {
    const { seconds, firstLoad } = built
    console.error(
      `plantroom: built the console in ${seconds.toFixed(1)} s; first load ${inKilobytes(firstLoad)} of script, gzipped`,
    )
  }
  const help = await buildHelp(ROOT)
  if (help) console.error(`plantroom: built the help, ${help.pages} pages, in ${help.seconds.toFixed(1)} s`)
  return 0
}

await start('build-console', main)
