import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { programFile } from '@plantroom/base/program-file'
import { type Supervised, supervise } from './supervise.ts'

/** The packages folder of this checkout or installation. */
export const PACKAGES = join(import.meta.dirname, '../../..')
/** What people type: a checkout has the script in its folder, an installation has it on the PATH. */
export const COMMAND = existsSync(join(PACKAGES, '../plantroom')) ? './plantroom' : 'plantroom'

/** Settings that would connect the demo to external services. */
const EXCLUDED_SETTINGS = ['DATABASE_URL', 'MQTT_URL', 'PLANTROOM_PUBLIC_URL']

export interface PartOptions<Ready> {
  name: string
  /** The package that contains the program. */
  packageName: string
  /** Path below `src`; `main.ts` by default. */
  program?: string
  settings(before: Ready | undefined): NodeJS.ProcessEnv
  needsCleanStop?: boolean
  nodeFlags?: readonly string[]
}

/** The processes of a demo. Each has its settings and a log, restarts when it dies, and stops in reverse order. */
export interface Parts extends AsyncDisposable {
  run<Ready>(options: PartOptions<Ready>): Promise<Supervised<Ready>>
  pids(): Record<string, number>
}

/** Starts no further part once `signal` is aborted. */
export async function createParts(options: {
  folder: string
  environment: NodeJS.ProcessEnv
  signal: AbortSignal
  onRestart(): void
}): Promise<Parts> {
  const { folder, signal, onRestart } = options
  const logs = join(folder, 'logs')
  await mkdir(logs, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `the data folder ${folder} is not writable (${error.code}); set PLANTROOM_DATA to a writable folder`,
    )
  })
  // A file of settings on this machine is about a real installation.
  const environment: NodeJS.ProcessEnv = { ...options.environment, PLANTROOM_DATA: folder, PLANTROOM_CONFIG: 'none' }
  for (const name of EXCLUDED_SETTINGS) delete environment[name]
  const stack = new AsyncDisposableStack()
  const running: Record<string, Supervised<unknown>> = {}

  return {
    async run<Ready>({
      name,
      packageName,
      program = 'main.ts',
      settings,
      needsCleanStop = false,
      nodeFlags = [],
    }: PartOptions<Ready>) {
      signal.throwIfAborted()
      const part = await supervise<Ready>({
        name,
        program: programFile(join(PACKAGES, packageName, 'src', program)),
        environment: (before) => ({ ...environment, ...settings(before) }),
        logFile: join(logs, `${name}.log`),
        clock: systemClock,
        onRestart,
        needsCleanStop,
        nodeFlags,
      })
      stack.defer(() => part.stop())
      running[name] = part
      return part
    },
    pids: () => Object.fromEntries(Object.entries(running).map(([name, part]) => [name, part.pid])),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
