import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Machine } from './debian.ts'
import { ROOT } from './environment.ts'
import { eventually } from './eventually.ts'
import type { Equipment } from './modbus.ts'
import { readSetpoints } from './override-setpoints.ts'

const DATA = { PLANTROOM_DATA: '/var/lib/plantroom' }

interface Named {
  readonly id: string
  readonly name: string
}

export interface Device {
  readonly org: string
  readonly key: string
  readonly id: string
  readonly secret: string
  /** The ids of the inverter and of its datapoint "Charge power limit". */
  connection: string
  datapoint: string
}

export type PlantroomCommand = (line: string, env?: Readonly<Record<string, string>>) => Promise<string>

export const commandLine =
  (root: Machine, port: number): PlantroomCommand =>
  (line, env = {}) =>
    root.run(`plantroom ${line}`, { ...DATA, PLANTROOM_URL: `http://127.0.0.1:${port}`, ...env })

/** Copies packages into the root and lets dpkg install them. An operator's settings stay. */
export async function install(root: Machine, folder: string, pattern: string): Promise<string> {
  mkdirSync(join(root.path, 'tmp/packages'), { recursive: true })
  await root.run('rm -f /tmp/packages/*')
  for (const file of globSync(pattern, { cwd: folder }))
    cpSync(join(folder, file), join(root.path, 'tmp/packages', file))
  return await root.run('dpkg --force-confold -i /tmp/packages/*.deb')
}

export async function startSimulator(
  root: Machine,
  ports: Readonly<Record<'modbus' | 'mqtt' | 'obix', number>>,
): Promise<void> {
  const settings = Object.entries(ports).map(([name, port]) => `PLANTROOM_SIMULATOR_${name.toUpperCase()}_PORT=${port}`)
  await root.run(
    `${settings.join(' ')} PLANTROOM_DATA=/tmp/simulator setsid plantroom simulate >/var/log/simulator.log 2>&1 </dev/null &`,
  )
}

export async function addDevice(plantroom: PlantroomCommand, name: string): Promise<Device> {
  const json = async (line: string, env = {}) => JSON.parse(await plantroom(`${line} --json`, env))
  const org = (await json(`org add '${name}'`)).id
  const inOrg = { PLANTROOM_ORG: org }
  const site = (await json('site add Harbour', inOrg)).id
  const { id, secret } = await json(`device add '${name}' --site ${site}`, inOrg)
  const { apiKey } = await json('key create Partner --permission edge-device:read_write', inOrg)
  return { org, key: apiKey, id, secret, connection: '', datapoint: '' }
}

export async function startEdge(root: Machine, { id, secret }: Device, broker: number): Promise<void> {
  const settings = `MQTT_URL=mqtt://127.0.0.1:${broker}\nPLANTROOM_DEVICE_ID=${id}\nPLANTROOM_DEVICE_SECRET=${secret}\n`
  writeFileSync(join(root.path, 'etc/plantroom/edge.env'), settings)
  await root.run('systemctl enable --now plantroom-edge')
}

export async function commission(
  root: Machine,
  plantroom: PlantroomCommand,
  device: Device,
  modbus: number,
  patienceMs?: number,
): Promise<void> {
  const file = readFileSync(join(ROOT, 'packages/simulator/demo/battery-room.yaml'), 'utf8')
  writeFileSync(join(root.path, 'tmp/battery-room.yaml'), file.replaceAll('15020', String(modbus)))
  await eventually(async () => {
    const printed = await plantroom(`commission ${device.id} /tmp/battery-room.yaml --json`, {
      PLANTROOM_ORG: device.org,
    })
    const [inverter] = (JSON.parse(printed) as { connections: (Named & { datapoints: Named[] })[] }).connections
    device.connection = inverter?.id ?? ''
    device.datapoint = inverter?.datapoints.find(({ name }) => name === 'Charge power limit')?.id ?? ''
  }, patienceMs)
  expect(device.datapoint).not.toBe('')
}

export const asPartner = ({ org, id, key }: Device) => ({
  PLANTROOM_ORG: org,
  PLANTROOM_DEVICE: id,
  PLANTROOM_API_KEY: key,
})
export const limitOf = async (equipment: Equipment) => (await readSetpoints(equipment))['Charge power limit']

export function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}
