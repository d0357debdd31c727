import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@plantroom/testkit/eventually'
import { canConnect, freePort } from '@plantroom/testkit/free-port'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { onTestFinished } from 'vitest'

const PROGRAM = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'].find(existsSync)
const CONFIGURATION = join(import.meta.dirname, '../../../../../../deploy/nats/plantroom.conf')

/** When true, suites that need NATS are skipped. */
export const withoutNats = PROGRAM === undefined

/** Starts a real NATS server that speaks MQTT, without accounts, until the test ends. */
export async function startNats(): Promise<{ url: string; cloudUrl: string }> {
  const folder = temporaryFolder()
  const [port, natsPort] = [await freePort(), await freePort()]
  const config = join(folder, 'nats.conf')
  writeFileSync(
    config,
    `server_name: test\nhost: "127.0.0.1"\nport: ${natsPort}
jetstream { store_dir: "${folder}" }
mqtt { host: "127.0.0.1", port: ${port} }\n`,
  )
  const child = spawn(PROGRAM ?? 'nats-server', ['-c', config], { stdio: 'ignore' })
  const gone = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await gone
  })
  await eventually(() => canConnect(port))
  const url = `mqtt://127.0.0.1:${port}`
  return { url, cloudUrl: url }
}

export interface Nats {
  /** The address for devices. */
  url: string
  cloudUrl: string
  /** Where the cloud writes the accounts. */
  path: string
  /** For clients that do not speak MQTT. */
  nativePort: number
  /** Starts with the accounts that the cloud has written. */
  start(): Promise<void>
  /** What the units of `deploy/systemd` do when the file has changed. */
  reload(): void
}

/** Prepares a real NATS with the configuration that we ship, in plain text; it ends with the test. */
export async function prepareNats(): Promise<Nats> {
  const folder = temporaryFolder()
  const [port, nativePort] = [await freePort(), await freePort()]
  const file = join(folder, 'nats-server.conf')
  const path = join(folder, 'written.conf')
  mkdirSync(join(folder, 'nats'))
  writeFileSync(
    file,
    readFileSync(CONFIGURATION, 'utf8')
      .replace('127.0.0.1:4222', `127.0.0.1:${nativePort}`)
      .replace('/var/lib/nats/jetstream', join(folder, 'jetstream'))
      .replace('0.0.0.0:8883', `127.0.0.1:${port}`)
      .replace(/ {2}tls \{[^}]*\}\n/, ''),
  )
  const copyAccounts = () => copyFileSync(path, join(folder, 'nats/accounts.conf'))
  let signal = (_signal: NodeJS.Signals) => {}
  return {
    url: `mqtt://127.0.0.1:${port}`,
    cloudUrl: `mqtt://plantroom-cloud:a%20password@127.0.0.1:${port}`,
    path,
    nativePort,
    async start() {
      copyAccounts()
      const child = spawn(PROGRAM ?? 'nats-server', ['-c', file], { stdio: 'ignore' })
      const gone = once(child, 'exit')
      signal = (name) => void child.kill(name)
      onTestFinished(async () => {
        child.kill('SIGKILL')
        await gone
      })
      await eventually(() => canConnect(port))
    },
    reload() {
      copyAccounts()
      signal('SIGHUP')
    },
  }
}
