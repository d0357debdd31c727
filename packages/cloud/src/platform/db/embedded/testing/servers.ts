import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { Client } from 'pg'
import { afterAll, afterEach } from 'vitest'
import { type Connection, type Layout, layoutOf } from '../layout.ts'
import { processesOf, stopImmediately } from '../processes.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../start.ts'

export const isRoot = process.getuid?.() === 0

const temporaryFolders: string[] = []
const layouts: Layout[] = []
const children: ChildProcess[] = []
let shared: Promise<string> | undefined

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const layout of layouts.splice(0)) {
    await stopImmediately(layout, systemClock)
    if (dirname(layout.runtime) !== layout.folder) await rm(layout.runtime, { recursive: true, force: true })
  }
  for (const folder of temporaryFolders.splice(0)) await rm(folder, { recursive: true, force: true })
})

afterAll(async () => {
  if (shared) await rm(await shared, { recursive: true, force: true })
})

/** A new folder, removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'embedded-'))
  temporaryFolders.push(folder)
  return folder
}

/** A folder for a server inside a new one. Any server that runs on it is stopped after the test. */
export async function serverFolder(...path: readonly string[]): Promise<string> {
  const folder = join(await temporaryFolder(), ...(path.length > 0 ? path : ['postgres']))
  layouts.push(await layoutFor(folder))
  return folder
}

/** A folder with the data of a stopped server, shared by all tests of a file. */
export async function sharedFolder(): Promise<string> {
  shared ??= makeShared()
  const folder = await shared
  layouts.push(await layoutFor(folder))
  return folder
}

/** Like `serverFolder`, with a copy of the data of `sharedFolder`, for a test that changes it. */
export async function folderWithData(...path: readonly string[]): Promise<string> {
  const folder = await serverFolder(...path)
  await mkdir(folder, { recursive: true })
  await promisify(execFile)('cp', ['-a', join(await sharedFolder(), 'data'), folder])
  return folder
}

async function makeShared(): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'embedded-shared-'))
  await (await start(folder)).stop()
  return folder
}

export async function layoutFor(folder: string): Promise<Layout> {
  return layoutOf(folder, await realpath(tmpdir()))
}

export function start(folder: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ folder, clock: systemClock, log: createLog('test', 'silent') })
}

/** The failure of a start. */
export async function failureOf(folder: string): Promise<{ kind: string; message: string }> {
  const outcome = await start(folder).catch((error: unknown) => error)
  if (outcome instanceof Error && 'kind' in outcome) return { kind: String(outcome.kind), message: outcome.message }
  throw new Error(`The start did not fail as expected: ${outcome}`)
}

interface StartedChild {
  readonly process: ChildProcess
  /** Its report: a started server or a failure. */
  readonly report: Promise<Pick<EmbeddedPostgres, 'pid' | 'attached' | 'connection'> & { failure?: string }>
}

/** Starts the server from another process, with `before` in front of its command line. */
export function startInChild(folder: string, before: readonly string[] = []): StartedChild {
  const [program = process.execPath, ...args] = [
    ...before,
    process.execPath,
    join(import.meta.dirname, 'start-in-process.ts'),
    folder,
  ]
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  children.push(child)
  const lines = createInterface({ input: child.stdout })
  return { process: child, report: once(lines, 'line').then(([line]) => JSON.parse(line)) }
}

export async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

export async function connect(connection: Connection): Promise<Client> {
  const client = new Client(connection)
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The first column of each row. */
export async function query(connection: Connection, sql: string): Promise<unknown[]> {
  const client = await connect(connection)
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows.map(([first]) => first)
  } finally {
    await client.end()
  }
}

export async function livingProcesses(folder: string): Promise<number[]> {
  return processesOf(await layoutFor(folder))
}
