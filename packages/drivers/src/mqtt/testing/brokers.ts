import { spawn } from 'node:child_process'
import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { eventually } from '@plantroom/testkit/eventually'
import { canConnect, freePort } from '@plantroom/testkit/free-port'
import { Aedes } from 'aedes'
import type { Certificate } from './certificate.ts'

const PROGRAM = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/opt/homebrew/sbin/mosquitto'].find(existsSync)

export interface Broker {
  readonly port: number
  stop(): Promise<void>
}

export interface BrokerOptions {
  /** Required from clients; without it, the broker accepts everyone. */
  credential?: { username: string; password: string }
  certificate?: Certificate
}

export interface BrokerKind {
  name: string
  /** True if the broker is not installed: its suites are skipped. */
  missing: boolean
  start(options?: BrokerOptions): Promise<Broker>
}

/** A broker in this process, and a third-party one. */
export const BROKERS: readonly BrokerKind[] = [
  { name: 'aedes', missing: false, start: startAedes },
  { name: 'mosquitto', missing: PROGRAM === undefined, start: startMosquitto },
]

/** @param forbidden topics that clients may not subscribe to */
export async function startAedes(
  { credential, certificate }: BrokerOptions = {},
  forbidden: readonly string[] = [],
): Promise<Broker & { aedes: Aedes }> {
  const aedes = await Aedes.createBroker({
    authenticate: (_client, username, password, done) =>
      done(null, !credential || (username === credential.username && String(password) === credential.password)),
    authorizeSubscribe: (_client, subscription, done) =>
      done(null, forbidden.includes(subscription.topic) ? null : subscription),
  })
  const server = certificate
    ? createTlsServer(
        { cert: readFileSync(certificate.certFile), key: readFileSync(certificate.keyFile) },
        aedes.handle,
      )
    : createServer(aedes.handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    aedes,
    port: (server.address() as { port: number }).port,
    async stop() {
      await new Promise<void>((resolve) => aedes.close(resolve))
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function startMosquitto({ credential, certificate }: BrokerOptions = {}): Promise<Broker> {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-mosquitto-'))
  const port = await freePort()
  const file = (name: string, lines: readonly string[]) => {
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
    return join(folder, name)
  }
  const config = file('mosquitto.conf', [
    `listener ${port} 127.0.0.1`,
    // When started by root, it would switch to a user that cannot read this folder.
    `user ${userInfo().username}`,
    `allow_anonymous ${credential === undefined}`,
    'persistence false',
    'set_tcp_nodelay true',
    ...(credential
      ? [`password_file ${file('passwords', [`${credential.username}:${hash(credential.password)}`])}`]
      : []),
    ...(certificate ? [`certfile ${certificate.certFile}`, `keyfile ${certificate.keyFile}`] : []),
  ])
  const child = spawn(PROGRAM ?? 'mosquitto', ['-c', config], { stdio: 'ignore' })
  const gone = once(child, 'exit')
  await eventually(() => canConnect(port))
  return {
    port,
    async stop() {
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Hashes a password like `mosquitto_passwd`. */
function hash(password: string): string {
  const [salt, rounds] = [randomBytes(12), 101]
  const digest = pbkdf2Sync(password, salt, rounds, 64, 'sha512')
  return `$7$${rounds}$${salt.toString('base64')}$${digest.toString('base64')}`
}
