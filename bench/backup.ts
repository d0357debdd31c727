import { type ChildProcess, spawn } from 'node:child_process'
import { hash, randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { REQUEST_ROWS, seedRequests } from './requests-rows.ts'
import { against, alone, type Measurement } from './support/measurement.ts'

const ROOT = join(import.meta.dirname, '..')
const PROGRAM = join(ROOT, 'dist/cloud-backup.js')
const FIXTURE = join(ROOT, 'packages/cloud/src/platform/backup/testing/plantroom-0.1.0.backup')
const SITE = 'site_bench'
const SERVERS = '/usr/lib/postgresql'
const ROUNDS = 3
const FILES = 50_000
const FILE_BYTES = 40_000
const TARGET = 'target: at most 2 of the floor'

/**
 * Measures a backup of 50,000 requests with 2 GB of attachments, and its check. The floor is `pg_dump` plus `cp -r`, which
 * neither check what they read nor flush what they write. Both read a PostgreSQL of Debian, because pg_dump reads no newer
 * server than itself.
 */
export async function benchBackup(): Promise<Measurement[]> {
  await using parts = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'plantroom-bench-'))
  chmodSync(folder, 0o711)
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const { bin, databaseUrl, socket } = await startDebianServer(folder, parts)
  const data = join(folder, 'data')
  const env = { ...process.env, PLANTROOM_DATA: data, DATABASE_URL: databaseUrl }
  await timed(process.execPath, [PROGRAM, 'restore', FIXTURE], env)
  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  parts.defer(() => db.end())
  await db.query(`INSERT INTO site (id, organization_id, name) SELECT $1, min(id), 'Bench' FROM organization`, [SITE])
  await seedRequests(db, SITE, 'bench')
  await db.query('VACUUM ANALYZE')
  writeAttachments(join(data, 'files/blobs', SITE))

  const seconds: Record<'floor' | 'backup' | 'read' | 'verify', number[]> = {
    floor: [],
    backup: [],
    read: [],
    verify: [],
  }
  let peakMb = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const [dump, copy, backup] = [join(folder, 'dump'), join(folder, 'copy'), join(folder, 'backup')]
    await timed('sync', ['-f', folder], env)
    const dumped = await timed(join(bin, 'pg_dump'), ['-h', socket, '-U', 'postgres', '-f', dump, 'plantroom'], env)
    const copied = await timed('cp', ['-r', join(data, 'files'), copy], env)
    seconds.floor.push(dumped.seconds + copied.seconds)
    rmSync(dump)
    rmSync(copy, { recursive: true })
    await timed('sync', ['-f', folder], env)
    const made = await timed(process.execPath, [PROGRAM, 'backup', backup], env)
    seconds.backup.push(made.seconds)
    peakMb = Math.max(peakMb, made.peakMb)
    seconds.read.push((await timed('sha256sum', [backup], env)).seconds)
    seconds.verify.push((await timed(process.execPath, [PROGRAM, 'backup', 'verify', backup], env)).seconds)
    rmSync(backup)
  }
  const contents = `${REQUEST_ROWS.requests} requests, ${FILES} attachments, ${(FILES * FILE_BYTES) / 1e9} GB`
  return [
    against('backup', seconds.backup, 's', seconds.floor, `${contents}; floor: pg_dump plus cp; ${TARGET}`),
    against('check of a backup', seconds.verify, 's', seconds.read, `${contents}; floor: sha256sum`),
    alone('peak memory of a backup', peakMb, 'MB', contents),
  ]
}

/** Starts a new server of the newest PostgreSQL of Debian on a socket. */
async function startDebianServer(folder: string, parts: AsyncDisposableStack) {
  const version = existsSync(SERVERS) ? readdirSync(SERVERS).toSorted((a, b) => Number(b) - Number(a))[0] : undefined
  if (version === undefined) throw new Error(`${SERVERS} has no server with pg_dump: install the package postgresql`)
  const bin = join(SERVERS, version, 'bin')
  const isRoot = process.getuid?.() === 0
  const prefix = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : []
  const socket = join(folder, 'server')
  mkdirSync(socket)
  if (isRoot) await timed('chown', ['postgres', socket], process.env)
  const command = (name: string, ...args: readonly string[]) => [
    ...prefix,
    join(bin, name),
    '-D',
    join(socket, 'pg'),
    ...args,
  ]
  const [initdb = '', ...initArgs] = command('initdb', '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C')
  await timed(initdb, initArgs, process.env)
  const [postgres = '', ...args] = command(
    'postgres',
    '-k',
    socket,
    '-c',
    'listen_addresses=',
    '-c',
    'shared_buffers=128MB',
  )
  const child = spawn(postgres, args, { stdio: 'ignore', cwd: '/' })
  parts.defer(() => stop(child))
  await created(socket)
  return { bin, socket, databaseUrl: `postgres://postgres@localhost/plantroom?host=${encodeURIComponent(socket)}` }
}

async function created(socket: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new pg.Client({ host: socket, user: 'postgres', database: 'postgres' })
    try {
      await client.connect()
      await client.query('CREATE DATABASE plantroom')
      return
    } catch (error) {
      if (attempt === 100) throw error
      await setTimeout(200)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGINT')
  await once(child, 'exit')
}

function writeAttachments(folder: string): void {
  const bytes = Buffer.alloc(FILE_BYTES)
  for (let file = 0; file < FILES; file += 1) {
    randomFillSync(bytes, 0, 1000)
    const name = hash('sha256', bytes)
    const target = join(folder, name.slice(0, 2))
    mkdirSync(target, { recursive: true })
    writeFileSync(join(target, name), bytes)
  }
}

async function timed(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const start = performance.now()
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  let peakMb = 0
  const look = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid))
  }, 20)
  const [code] = await ended
  clearInterval(look)
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed`)
  return { seconds: (performance.now() - start) / 1000, peakMb }
}

function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
