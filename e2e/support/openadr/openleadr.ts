import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { startEmbeddedPostgres } from '@plantroom/cloud/db/embedded/start'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { eventually } from '../eventually.ts'
import { ownFolder } from '../folder.ts'
import { startRelay } from '../relay.ts'
import { installed } from './installed.ts'

const VERSION = '0.2.8'
/** In a network of its own. */
const PORT = 3000
const START_MS = 120_000
/** Without locks: a mirror may lack what they name. */
const BUILD = ['--no-default-features', '--features', 'postgres,internal-oauth', '--profile', 'dev', '--jobs', '2']

const canUnshare = isCampaign && spawnSync('unshare', ['--map-root-user', '--net', 'true']).status === 0
if (isCampaign && !canUnshare)
  console.log('skipped: openleadr-vtn, because unshare may not give it a network of its own')

/** OpenLEADR, a VTN of 3.1 in Rust. */
export const OPENLEADR = canUnshare
  ? installed({
      name: `openleadr-vtn-${VERSION}`,
      program: 'bin/openleadr-vtn',
      commands: (folder) => [
        ['cargo', 'install', 'openleadr-vtn', '--version', VERSION, '--root', folder, '--quiet', ...BUILD],
      ],
    })
  : undefined

/** A VTN with a client for its operator and one for a VEN. */
export interface OpenLeadr extends AsyncDisposable {
  readonly baseUrl: string
  readonly tokenUrl: string
  /** Asks as the operator of the VTN. */
  operate(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>
  /** The id and secret of a new client with the rights of a VEN. */
  addVen(): Promise<{ clientId: string; clientSecret: string }>
}

const VEN_SCOPES = ['read_targets', 'read_ven_objects', 'write_reports', 'write_subscriptions', 'write_vens']
const OPERATOR_SCOPES = ['read_all', 'write_programs', 'write_events', 'write_vens_bl', 'write_reports_bl']

export async function startOpenLeadr(): Promise<OpenLeadr> {
  await using cleanup = new AsyncDisposableStack()
  const { path: folder } = cleanup.use(ownFolder())
  const log = createLog('postgres', 'warn')
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), clock: systemClock, log })
  cleanup.defer(() => postgres.stop())
  const socketFile = join(folder, 'vtn.sock')
  const relay = await startRelay({ port: 0 }, () => connect(socketFile))
  cleanup.defer(() => void relay.close())
  const baseUrl = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`
  const tokenUrl = `${baseUrl}/auth/token`
  const secret = randomBytes(32)
  const { host, user, database } = postgres.connection
  const program = `${import.meta.dirname}/lonely-program.ts`
  const child = spawn(
    'unshare',
    ['--map-root-user', '--net', process.execPath, program, socketFile, String(PORT), OPENLEADR ?? ''],
    {
      stdio: ['pipe', 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
        PORT: String(PORT),
        DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
        OAUTH_TYPE: 'INTERNAL',
        OAUTH_TOKEN_URL: tokenUrl,
        OAUTH_BASE64_SECRET: secret.toString('base64'),
      },
    },
  )
  cleanup.defer(() => end(child))
  const ask = async (token: string, method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${baseUrl}/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  await eventually(async () => {
    const { status } = await fetch(`${baseUrl}/health`)
    if (status !== 200) throw new Error(`OpenLEADR answers ${status}`)
  }, START_MS)

  // Its own tokens say who someone is; clients are added with one of these.
  const operator = tokenOf(secret, 'operator', [...OPERATOR_SCOPES, 'write_users'])
  let count = 0
  const parts = cleanup.move()
  return {
    baseUrl,
    tokenUrl,
    operate: (method, path, body) => ask(operator, method, path, body),
    async addVen() {
      count += 1
      const [clientId, clientSecret] = [`ven-${count}`, randomBytes(12).toString('hex')]
      const added = await ask(operator, 'POST', 'users', { reference: clientId, description: null, scope: VEN_SCOPES })
      const { id } = added.body as { id: string }
      await ask(operator, 'POST', `users/${id}`, { client_id: clientId, client_secret: clientSecret })
      return { clientId, clientSecret }
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.stdin?.end()
  await gone
}

/** A token as OpenLEADR makes them. */
function tokenOf(secret: Buffer, sub: string, roles: readonly string[]): string {
  const now = Math.floor(systemClock.now() / 1000)
  const encoded = [
    { alg: 'HS256', typ: 'JWT' },
    { sub, exp: now + 86_400, iat: now, nbf: now, roles, scope: '' },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${encoded}.${createHmac('sha256', secret).update(encoded).digest('base64url')}`
}
