import { spawn } from 'node:child_process'
import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@plantroom/testkit/eventually'
import { canConnect, freePort } from '@plantroom/testkit/free-port'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { onTestFinished } from 'vitest'
import { OTHER, OURS, secretOf } from './devices.ts'

const PROGRAM = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/opt/homebrew/sbin/mosquitto'].find(existsSync)
const ACCESS = join(import.meta.dirname, '../../../../../../deploy/mosquitto/plantroom.acl')
const CLOUD = 'plantroom-cloud'

/** When true, suites that need Mosquitto are skipped. */
export const withoutMosquitto = PROGRAM === undefined

export interface Mosquitto {
  /** The address for devices. */
  url: string
  /** With the credential of the cloud. */
  cloudUrl: string
  /** Kills the process, like a power cut. */
  kill(): Promise<void>
  /** Freezes the process: connections stay open without answers. */
  freeze(): void
  /** Starts again on the same port, with no memory of before. */
  start(): Promise<void>
}

/** Starts a real Mosquitto for a cloud and some devices, with the access file that we ship, until the test ends. `settings` are added to its configuration. */
export async function startMosquitto({
  devices = [OURS, OTHER],
  settings = [],
  isOpen = false,
}: {
  devices?: readonly string[]
  settings?: readonly string[]
  /** Anybody may use it: it is the broker of someone else. */
  isOpen?: boolean
} = {}): Promise<Mosquitto> {
  const folder = temporaryFolder()
  const port = await freePort()
  const file = (name: string, lines: readonly string[]) => {
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
    return join(folder, name)
  }
  const accounts = [CLOUD, ...devices].map((user) => `${user}:${hash(secretOf(user))}`)
  const access = readFileSync(ACCESS, 'utf8')
  const config = file('mosquitto.conf', [
    `listener ${port} 127.0.0.1`,
    // Started by root, it would switch to a user who may not read this folder.
    `user ${userInfo().username}`,
    `allow_anonymous ${isOpen}`,
    'set_tcp_nodelay true',
    ...(isOpen ? [] : [`password_file ${file('passwords', accounts)}`, `acl_file ${file('acl', [access])}`]),
    ...settings,
  ])

  let stop = async (_signal: NodeJS.Signals) => {}
  let freeze = () => {}

  async function start() {
    const child = spawn(PROGRAM ?? 'mosquitto', ['-c', config], { stdio: 'ignore' })
    const gone = once(child, 'exit')
    stop = async (signal) => {
      child.kill(signal)
      await gone
    }
    freeze = () => void child.kill('SIGSTOP')
    await eventually(() => canConnect(port))
  }

  await start()
  onTestFinished(() => stop('SIGKILL'))
  return {
    url: `mqtt://127.0.0.1:${port}`,
    cloudUrl: `mqtt://${CLOUD}:${encodeURIComponent(secretOf(CLOUD))}@127.0.0.1:${port}`,
    kill: () => stop('SIGKILL'),
    freeze: () => freeze(),
    start,
  }
}

/** In the format of `mosquitto_passwd`. */
function hash(password: string): string {
  const [salt, rounds] = [randomBytes(12), 101]
  const digest = pbkdf2Sync(password, salt, rounds, 64, 'sha512')
  return `$7$${rounds}$${salt.toString('base64')}$${digest.toString('base64')}`
}
