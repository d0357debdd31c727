import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@plantroom/testkit/eventually'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { onTestFinished } from 'vitest'
import { canConnect, freePort } from './ports.ts'

const PROGRAM = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'].find(existsSync)

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
