import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommissionedConnection, CommissioningFile } from '@plantroom/contract/commissioning'
import type { Protocol } from '@plantroom/contract/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { ROOT } from './support/environment.ts'
import { type OwnFolder, ownFolder } from './support/folder.ts'
import { equipmentAt } from './support/modbus.ts'
import { type Part, startPart } from './support/part.ts'
import { plantroom } from './support/run.ts'

interface SimulatorReady {
  modbus: { host: string; port: number }
  mqtt: { url: string }
  obix: { url: string }
}

interface Probed {
  technicalSystem: string
  readable: boolean
  problems: { path: string; message: string }[]
  connections: {
    name: string
    protocol: string
    endpoint: string
    status: number
    error: string | null
    datapoints: { name: string; raw: unknown; value: unknown; error: string | null }[]
  }[]
}

const DEMO = join(ROOT, 'packages/simulator/demo')
/** A port that no program listens on. */
const NOBODY = { modbus: 1, mqtt: 'mqtt://127.0.0.1:1', obix: 'http://127.0.0.1:1/obix/' }

let folder: OwnFolder
let simulator: Part<SimulatorReady>

beforeAll(async () => {
  folder = ownFolder()
  simulator = await startPart<SimulatorReady>('simulator', () => ({
    PLANTROOM_DATA: folder.path,
    PLANTROOM_SIMULATOR_MODBUS_PORT: '0',
    PLANTROOM_SIMULATOR_MQTT_PORT: '0',
    PLANTROOM_SIMULATOR_OBIX_PORT: '0',
  }))
})
afterAll(async () => {
  await simulator?.stop()
  await folder?.[Symbol.asyncDispose]()
})

const here = () => ({
  modbus: simulator.ready.modbus.port,
  mqtt: simulator.ready.mqtt.url,
  obix: simulator.ready.obix.url,
})

/** The technical system of the demo, without the addresses. */
function building(at: typeof NOBODY): CommissioningFile {
  const read = (name: string) => parse(readFileSync(join(DEMO, name), 'utf8')) as CommissioningFile
  const battery = read('battery-room.yaml')
  const others = [read('heat-pump.yaml'), read('air-handling.yaml')]
  const file = { ...battery, connections: [battery, ...others].flatMap(({ connections }) => connections) }
  const moved = ({ protocol, settings, ...others }: CommissionedConnection): CommissionedConnection => {
    const places: Partial<Record<Protocol, object>> = {
      'modbus-tcp': { port: at.modbus },
      mqtt: { url: at.mqtt },
      obix: { url: at.obix },
    }
    return { ...others, protocol, settings: { ...settings, ...places[protocol] } }
  }
  return { ...file, connections: file.connections.map(moved) }
}

const withDatapoint = (
  file: CommissioningFile,
  connectionName: string,
  datapoint: CommissionedConnection['datapoints'][number],
): CommissioningFile => ({
  ...file,
  connections: file.connections.map((connection) =>
    connection.name === connectionName
      ? { ...connection, datapoints: [...connection.datapoints, datapoint] }
      : connection,
  ),
})

let files = 0
function written(file: CommissioningFile): string {
  files += 1
  const path = join(folder.path, `building-${files}.yaml`)
  writeFileSync(path, stringify(file))
  return path
}

async function probed(file: CommissioningFile): Promise<{ code: number | null; result: Probed }> {
  const { code, stdout, stderr } = await plantroom(['edge', 'probe', written(file), '--json'], {
    PLANTROOM_DATA: join(folder.path, 'none'),
  })
  expect(stderr).toBe('')
  expect(stdout.trim().split('\n')).toHaveLength(1)
  return { code, result: JSON.parse(stdout) as Probed }
}

describe('plantroom edge probe', () => {
  test('reads a building on all its protocols, needs no device and leaves no files', async () => {
    const file = building(here())
    const { code, result } = await probed(file)
    expect(code).toBe(0)
    expect(result).toMatchObject({ technicalSystem: file.technicalSystem, readable: true, problems: [] })
    expect(result.connections.map(({ name, protocol, status, error }) => ({ name, protocol, status, error }))).toEqual(
      file.connections.map(({ name, protocol }) => ({ name, protocol, status: 1, error: null })),
    )
    expect(new Set(result.connections.map(({ protocol }) => protocol))).toEqual(new Set(['modbus-tcp', 'mqtt', 'obix']))
    const datapoints = result.connections.flatMap(({ datapoints }) => datapoints)
    expect(datapoints.filter(({ value, error }) => typeof value !== 'number' || error !== null)).toEqual([])
    expect(datapoints).toContainEqual(expect.objectContaining({ name: 'Charge power', raw: 50, value: 5 }))
    expect(existsSync(join(folder.path, 'none'))).toBe(false)
  })

  test('prints a table for people', async () => {
    const { code, stdout, stderr } = await plantroom(['edge', 'probe', written(building(here()))])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`Inverter (modbus-tcp, 127.0.0.1:${here().modbus}): connected\n`)
    expect(stdout).toMatch(/^ {2}Charge power +5 {2}raw 50$/m)
    expect(stdout).toMatch(/^(\d+) of \1 datapoints can be read$/m)
  })

  test('says which datapoint cannot be read and why, on each protocol', async () => {
    const about = { name: 'Missing', accessType: 'READ' } as const
    let file = withDatapoint(building(here()), 'Inverter', { ...about, data: { register: 9000, type: 'int16' } })
    file = withDatapoint(file, 'Heat pump', { ...about, data: { stateTopic: 'hp/nothing' } })
    file = withDatapoint(file, 'AHU', { ...about, data: { href: 'points/nothing/' } })
    const { code, result } = await probed(file)
    expect({ code, readable: result.readable }).toEqual({ code: 1, readable: false })
    const wrong = result.connections.flatMap(({ name, status, datapoints }) =>
      datapoints
        .filter(({ error }) => error !== null)
        .map((datapoint) => [name, status, datapoint.name, datapoint.error]),
    )
    expect(wrong).toEqual([
      ['Inverter', 1, 'Missing', expect.stringContaining('exception 2')],
      ['Heat pump', 1, 'Missing', 'no state received yet'],
      ['AHU', 1, 'Missing', expect.any(String)],
    ])
  })

  test('writes nothing', async () => {
    const equipment = equipmentAt(() => here().modbus)
    await equipment.writeRegisters(1, 100, Buffer.from([0xff, 0x9c]))
    const file = withDatapoint(building(here()), 'Inverter', {
      ...{ name: 'Only written', accessType: 'WRITE' },
      data: { register: 199, type: 'uint16' },
    })
    const before = await equipment.holding(1, 100, 2)
    const { code, result } = await probed(file)
    expect(code).toBe(0)
    expect(result.connections[0]?.datapoints).toContainEqual(
      expect.objectContaining({ name: 'Charge power', raw: -100, value: -10 }),
    )
    expect(await equipment.holding(1, 100, 2)).toEqual(before)
  })

  test('prints one line with host and port when equipment is down', async () => {
    const file = building(NOBODY)
    const { code, stdout, stderr } = await plantroom(['edge', 'probe', written(file)])
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const lines = stdout.trim().split('\n')
    expect(lines).toHaveLength(file.connections.length + 2)
    for (const [index, { name, protocol }] of file.connections.entries()) {
      expect(lines[index + 1]).toMatch(
        new RegExp(String.raw`^${name} \(${protocol}, 127\.0\.0\.1:1\): cannot be used: .*127\.0\.0\.1:1\b`),
      )
    }
  })

  test('works beside a running controller on the same folder', async () => {
    const settings = { PLANTROOM_DATA: folder.path }
    const edge = await startPart('edge', () => ({
      ...settings,
      MQTT_URL: 'mqtt://127.0.0.1:1',
      PLANTROOM_DEVICE_ID: 'dev_1',
      PLANTROOM_DEVICE_SECRET: 'secret',
    }))
    try {
      const { code, stdout, stderr } = await plantroom(['edge', 'probe', written(building(here()))], settings)
      expect(code, stdout + stderr).toBe(0)
    } finally {
      expect(await edge.stop()).toEqual({ code: 0, signal: null })
    }
  })

  test('prints one line for every mistake in the file', async () => {
    const file = building(here())
    const [first, ...others] = file.connections
    const wrong = { ...first, settings: { ...first?.settings, unitId: 300 } } as CommissionedConnection
    const again = { ...wrong, settings: first?.settings } as CommissionedConnection
    const path = written({ ...file, connections: [wrong, again, ...others] })
    const { code, stdout, stderr } = await plantroom(['edge', 'probe', path])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /^plantroom edge probe: connections\[1\]\.name: .*; connections\[0\]\.settings\.unitId: .*\n$/,
    )
  })

  test('reports wrong usage and prints its help', async () => {
    expect((await plantroom(['edge', 'probe'])).code).toBe(2)
    expect((await plantroom(['edge', 'prob', 'x'])).code).toBe(2)
    const help = await plantroom(['edge', 'probe', '--help'])
    expect([help.code, help.stderr]).toEqual([0, ''])
    expect(help.stdout).toContain('plantroom edge probe FILE')
    expect((await plantroom(['edge', '--help'])).stdout).toContain('plantroom edge probe FILE')
  })
})
