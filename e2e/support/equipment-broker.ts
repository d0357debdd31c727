import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { canConnect } from '@plantroom/testkit/free-port'
import { eventually } from './eventually.ts'
import { MOSQUITTO } from './mosquitto.ts'
import { run } from './run.ts'

/** A Mosquitto to which equipment is connected. It keeps nothing over a restart. */
export interface EquipmentBroker {
  /** Kills it. Safe to call again. */
  stop(): Promise<void>
}

/** Starts the broker. `accounts`: the passwords by name; without them everybody may connect. */
export async function startEquipmentBroker(
  folder: string,
  port: number,
  accounts?: Readonly<Record<string, string>>,
): Promise<EquipmentBroker> {
  const lines = [`listener ${port} 127.0.0.1`, `user ${userInfo().username}`, 'persistence false']
  if (accounts) lines.push('allow_anonymous false', `password_file ${await passwordFile(folder, accounts)}`)
  else lines.push('allow_anonymous true')
  const config = join(folder, `equipment-${port}.conf`)
  writeFileSync(config, [...lines, ''].join('\n'))
  const broker = spawn(MOSQUITTO, ['-c', config], { stdio: 'ignore' })
  await eventually(() => canConnect(port))
  return {
    async stop() {
      if (broker.exitCode !== null || broker.signalCode !== null) return
      const gone = once(broker, 'exit')
      broker.kill('SIGKILL')
      await gone
    },
  }
}

async function passwordFile(folder: string, accounts: Readonly<Record<string, string>>): Promise<string> {
  const path = join(folder, 'equipment.passwd')
  writeFileSync(path, '', { mode: 0o600 })
  for (const [name, password] of Object.entries(accounts)) {
    const { code, stderr } = await run('mosquitto_passwd', ['-b', path, name, password])
    if (code !== 0) throw new Error(stderr)
  }
  return path
}
