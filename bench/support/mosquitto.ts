import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const DEPLOY = join(import.meta.dirname, '../../deploy/mosquitto')
const CLOUD = 'plantroom-cloud'
const START_MS = 10_000

/** A Mosquitto with the profile that we ship, without TLS: a handshake is not what these benchmarks measure. */
export interface Mosquitto {
  readonly cloudUrl: string
  readonly deviceUrl: string
  readonly pid: number
  /** Adds accounts of devices. */
  admit(devices: readonly { id: string; secret: string }[]): void
  stop(): Promise<void>
}

export async function startMosquitto(folder: string): Promise<Mosquitto> {
  const password = randomBytes(16).toString('hex')
  const port = await freePort()
  mkdirSync(folder, { recursive: true })
  const passwords = join(folder, 'plantroom.passwd')
  copyFileSync(join(DEPLOY, 'plantroom.acl'), join(folder, 'plantroom.acl'))
  writeFileSync(passwords, '', { mode: 0o600 })
  const addAccounts = (lines: readonly string[]) => appendFileSync(passwords, hashed(folder, lines))
  addAccounts([`${CLOUD}:${password}`])
  const [shared = ''] = readFileSync(join(DEPLOY, 'plantroom.conf'), 'utf8').split(/^listener 8883/m)
  const file = join(folder, 'mosquitto.conf')
  writeFileSync(
    file,
    `user ${userInfo().username}\nlog_dest none\n${shared
      .replaceAll(/^(\w+) \/etc\/mosquitto\//gm, `$1 ${folder}/`)
      .replace(/^listener 1883 127\.0\.0\.1$/m, `listener ${port} 127.0.0.1`)}`,
  )
  const broker = spawn('/usr/sbin/mosquitto', ['-c', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  await untilListening(port, broker)
  return {
    cloudUrl: `mqtt://${CLOUD}:${password}@127.0.0.1:${port}`,
    deviceUrl: `mqtt://127.0.0.1:${port}`,
    pid: broker.pid ?? 0,
    admit(devices) {
      addAccounts(devices.map(({ id, secret }) => `${id}:${secret}`))
      broker.kill('SIGHUP')
    },
    async stop() {
      if (broker.exitCode !== null || broker.signalCode !== null) return
      broker.kill('SIGKILL')
      await once(broker, 'exit')
    },
  }
}

function hashed(folder: string, lines: readonly string[]): string {
  const file = join(folder, 'added.passwd')
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 })
  const { status, stderr } = spawnSync('mosquitto_passwd', ['-U', file], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`mosquitto_passwd: ${stderr}`)
  return readFileSync(file, 'utf8')
}

async function untilListening(port: number, broker: ChildProcess): Promise<void> {
  const end = performance.now() + START_MS
  for (;;) {
    const socket = connect({ host: '127.0.0.1', port })
    try {
      await once(socket, 'connect')
      return
    } catch (error) {
      if (broker.exitCode !== null || performance.now() > end) throw error
      await setTimeout(20)
    } finally {
      socket.destroy()
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
