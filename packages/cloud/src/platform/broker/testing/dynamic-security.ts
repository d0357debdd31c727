import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@plantroom/testkit/eventually'
import { canConnect, freePort } from '@plantroom/testkit/free-port'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { onTestFinished } from 'vitest'

const PROGRAM = '/usr/sbin/mosquitto'
const CONFIGURATION = join(import.meta.dirname, '../../../../../../deploy/mosquitto/plantroom-accounts.conf')
const PLUGIN = ['aarch64-linux-gnu', 'x86_64-linux-gnu']
  .map((name) => `/usr/lib/${name}/mosquitto_dynamic_security.so`)
  .find(existsSync)
const [USER, PASSWORD] = ['plantroom-cloud', 'a-password-of-the-cloud']

/** When true, suites that need Mosquitto with its plugin are skipped. */
export const withoutDynamicSecurity =
  !existsSync(PROGRAM) || PLUGIN === undefined || spawnSync('mosquitto_ctrl', ['dynsec', 'help']).error !== undefined

export interface DynamicMosquitto {
  /** The address for devices. */
  url: string
  cloudUrl: string
  /** Runs a command of the operator. Returns what it printed. */
  control(...command: string[]): string
  /** The names of all accounts. */
  accounts(): string[]
  kill(): Promise<void>
  /** Stops answering, with all connections open. */
  freeze(): void
  resume(): void
  /** Starts again on the same port, with the accounts in its file. */
  start(): Promise<void>
}

/** Starts a real Mosquitto by the steps and with the configuration that we ship, until the test ends. */
export async function startDynamicMosquitto(): Promise<DynamicMosquitto> {
  const folder = temporaryFolder()
  const port = await freePort()
  const accountsFile = join(folder, 'dynamic-security.json')
  const file = join(folder, 'mosquitto.conf')
  const shipped = readFileSync(CONFIGURATION, 'utf8')
  const [first = ''] = shipped.split('\nlistener 8883')
  writeFileSync(
    file,
    // Started by root, it would switch to a user who may not read this folder.
    `user ${userInfo().username}\n${first
      .replace(/^plugin .*$/m, `plugin ${PLUGIN}`)
      .replace('/var/lib/mosquitto/dynamic-security.json\n\n', `${accountsFile}\n\n`)
      .replace('listener 1883 ', `listener ${port} `)}`,
  )
  run('mosquitto_ctrl', ['dynsec', 'init', accountsFile, USER, PASSWORD])
  const [, expression = ''] = /^# +sed -i '([^']+)'/m.exec(shipped) ?? []
  run('sed', ['-i', expression, accountsFile])
  const operator = ['-h', '127.0.0.1', '-p', String(port), '-u', USER, '-P', PASSWORD, 'dynsec']
  const control = (...command: string[]) => run('mosquitto_ctrl', [...operator, ...command])

  let signal = (_signal: NodeJS.Signals) => {}
  let gone: Promise<unknown> = Promise.resolve()
  async function start() {
    const child = spawn(PROGRAM, ['-c', file], { stdio: 'ignore' })
    signal = (name) => void child.kill(name)
    gone = once(child, 'exit')
    await eventually(() => canConnect(port))
  }
  async function kill() {
    signal('SIGKILL')
    await gone
  }

  await start()
  onTestFinished(kill)
  return {
    url: `mqtt://127.0.0.1:${port}`,
    cloudUrl: `mqtt://${USER}:${PASSWORD}@127.0.0.1:${port}`,
    control,
    accounts: () => control('listClients', '0', '0').trim().split('\n'),
    kill,
    freeze: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    start,
  }
}

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.at(-1)}: ${stderr}`)
  return stdout
}
