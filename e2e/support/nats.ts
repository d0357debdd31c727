import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canConnect, freePorts } from '@plantroom/testkit/free-port'
import { eventually } from './eventually.ts'
import type { Credential } from './mqtt-client.ts'

export const NATS = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'].find(existsSync)

/** A real nats-server with MQTT and JetStream, on one node. */
export interface Nats {
  readonly cloudUrl: string
  readonly deviceUrl: string
  start(): Promise<void>
  kill(): Promise<void>
}

/** Writes its configuration: the cloud may use everything of ours, and each device only its own topics. */
export async function installNats(folder: string, devices: readonly Credential[]): Promise<Nats> {
  const [client, port] = (await freePorts(2)) as [number, number]
  const cloud = { username: 'plantroom-cloud', password: randomBytes(16).toString('hex') }
  const users = [
    `{ user: "${cloud.username}", password: "${cloud.password}" }`,
    ...devices.map(({ username, password }) => {
      const own = `plantroom.${username}`
      // A filter that ends in # is two subscriptions there: below the topic, and the topic itself.
      const reads = ['command', 'command.>', 'time.*', 'confirm.*.*'].map((filter) => `"${own}.${filter}"`)
      return `{ user: "${username}", password: "${password}", permissions: {
        publish: ["${own}.>", "$MQTT.>"]
        subscribe: [${[...reads, '"plantroom.hello"', '"$MQTT.>"', '"_INBOX.>"'].join(', ')}] } }`
    }),
  ]
  const file = join(folder, 'nats.conf')
  writeFileSync(
    file,
    `server_name: plantroom
listen: "127.0.0.1:${client}"
jetstream { store_dir: "${join(folder, 'nats')}" }
mqtt { listen: "127.0.0.1:${port}" }
max_payload: 4MB
authorization { users: [\n${users.join('\n')}\n] }
`,
    { mode: 0o600 },
  )
  let server: ChildProcess | undefined
  return {
    cloudUrl: `mqtt://${cloud.username}:${cloud.password}@127.0.0.1:${port}`,
    deviceUrl: `mqtt://127.0.0.1:${port}`,
    async start() {
      server = spawn(NATS ?? 'nats-server', ['-c', file], { stdio: 'ignore' })
      await eventually(() => canConnect(port))
    },
    async kill() {
      if (!server || server.exitCode !== null || server.signalCode !== null) return
      server.kill('SIGKILL')
      await once(server, 'exit')
    },
  }
}
