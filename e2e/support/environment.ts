import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
/** The `plantroom` script. */
export const PLANTROOM = join(ROOT, 'plantroom')

export type Settings = Readonly<Record<string, string>>

const OF_THE_MACHINE = ['PATH', 'HOME', 'TMPDIR', 'LANG']

/** Environment for our programs: the settings of the test, and none of the shell that runs the tests. */
export function environment(settings: Settings): NodeJS.ProcessEnv {
  const kept = OF_THE_MACHINE.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  return {
    ...Object.fromEntries(kept),
    // Without the profiles of the person who runs the tests.
    XDG_CONFIG_HOME: join(ROOT, 'node_modules/.cache/no-profiles'),
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled'),
    ...settings,
  }
}
