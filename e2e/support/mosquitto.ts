import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { canConnect, freePorts } from '@plantroom/testkit/free-port'
import { makeCertificate } from './certificate.ts'
import { ROOT } from './environment.ts'
import { eventually } from './eventually.ts'
import type { Credential } from './mqtt-client.ts'
import { run } from './run.ts'

export const MOSQUITTO = '/usr/sbin/mosquitto'
const DEPLOY = join(ROOT, 'deploy/mosquitto')

/** A real Mosquitto with the files of `deploy/mosquitto`; only paths and ports differ. */
export interface Mosquitto {
  /** The cloud's MQTT_URL, with its password. */
  readonly cloudUrl: string
  /** The devices' MQTT_URL. */
  readonly deviceUrl: string
  readonly certFile: string
  readonly cloud: Credential
  output(): string
  /** Adds a device as an operator does: password file, then reload. */
  admit(device: Credential): Promise<void>
  /** Adds many devices with one reload. */
  admitAll(devices: readonly Credential[]): Promise<void>
  start(): Promise<void>
  kill(): Promise<void>
}

export async function installMosquitto(folder: string): Promise<Mosquitto> {
  const cloud = { username: 'plantroom-cloud', password: randomBytes(16).toString('hex') }
  const [cloudPort, devicePort] = (await freePorts(2)) as [number, number]
  const { certFile } = await layOut(folder, cloudPort, devicePort)
  const passwords = join(folder, 'plantroom.passwd')
  writeFileSync(passwords, '', { mode: 0o600 })
  await setPassword(passwords, cloud)

  let broker: ChildProcess | undefined
  let written = ''
  return {
    cloudUrl: `mqtt://${cloud.username}:${cloud.password}@127.0.0.1:${cloudPort}`,
    deviceUrl: `mqtts://127.0.0.1:${devicePort}`,
    certFile,
    cloud,
    output: () => written,
    async admit(device) {
      await setPassword(passwords, device)
      broker?.kill('SIGHUP')
    },
    async admitAll(devices) {
      const added = join(folder, 'added.passwd')
      writeFileSync(added, devices.map(({ username, password }) => `${username}:${password}\n`).join(''), {
        mode: 0o600,
      })
      const { code, stderr } = await run('mosquitto_passwd', ['-U', added])
      if (code !== 0) throw new Error(`mosquitto_passwd: ${stderr}`)
      appendFileSync(passwords, readFileSync(added))
      broker?.kill('SIGHUP')
    },
    async start() {
      broker = spawn(MOSQUITTO, ['-c', join(folder, 'mosquitto.conf')], { stdio: ['ignore', 'pipe', 'pipe'] })
      const keep = (chunk: Buffer) => {
        written += chunk.toString()
      }
      broker.stdout?.on('data', keep)
      broker.stderr?.on('data', keep)
      await eventually(() => canConnect(cloudPort))
    },
    async kill() {
      if (!broker || broker.exitCode !== null || broker.signalCode !== null) return
      broker.kill('SIGKILL')
      await once(broker, 'exit')
    },
  }
}

/** Writes the files of a Debian machine, with `folder` instead of /etc/mosquitto. */
async function layOut(folder: string, cloudPort: number, devicePort: number): Promise<{ certFile: string }> {
  const { certFile, keyFile } = await makeCertificate(folder)
  mkdirSync(join(folder, 'certs'))
  copyFileSync(certFile, join(folder, 'certs/plantroom.crt'))
  copyFileSync(keyFile, join(folder, 'certs/plantroom.key'))
  copyFileSync(join(DEPLOY, 'plantroom.acl'), join(folder, 'plantroom.acl'))
  mkdirSync(join(folder, 'conf.d'))
  const conf = readFileSync(join(DEPLOY, 'plantroom.conf'), 'utf8')
    .replaceAll(/^(\w+) \/etc\/mosquitto\//gm, `$1 ${folder}/`)
    .replace(/^listener 1883 127\.0\.0\.1$/m, `listener ${cloudPort} 127.0.0.1`)
    .replace(/^listener 8883$/m, `listener ${devicePort} 127.0.0.1`)
  writeFileSync(join(folder, 'conf.d/plantroom.conf'), conf)
  writeFileSync(
    join(folder, 'mosquitto.conf'),
    `user ${userInfo().username}\nlog_dest stdout\ninclude_dir ${join(folder, 'conf.d')}\n`,
  )
  return { certFile }
}

async function setPassword(file: string, { username, password }: Credential): Promise<void> {
  const { code, stderr } = await run('mosquitto_passwd', ['-b', file, username, password])
  if (code !== 0) throw new Error(`mosquitto_passwd: ${stderr}`)
}
