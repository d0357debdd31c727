import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readCommissioningFile } from '../commissioning-file.ts'
import { readConfig } from '../config.ts'
import { banner } from './banner.ts'
import type { DemoFile } from './demo-file.ts'

const BATTERY_ROOM = join(import.meta.dirname, '../../../simulator/demo/battery-room.yaml')

const FILE: DemoFile = {
  baseUrl: 'http://127.0.0.1:8080',
  ticketApiBase: 'http://127.0.0.1:8080/api',
  schemaUrl: 'http://127.0.0.1:8080/schemas/ticket-export-v1.json',
  orgId: 'org_1',
  propertyId: 'site_1',
  deviceId: 'dev_1',
  apiKey: 'plr_demo',
  adminToken: 'pla_demo',
  user: { email: 'demo@plantroom.example', password: 'hunter2' },
  mqttUrl: 'mqtt://127.0.0.1:1883',
  connections: [
    {
      id: 'con_1',
      name: 'Inverter',
      protocol: 'modbus-tcp',
      settings: {},
      endpoint: '127.0.0.1:15020',
      datapoints: [],
    },
    {
      id: 'con_2',
      name: 'Heat pump',
      protocol: 'mqtt',
      settings: {},
      endpoint: 'mqtt://127.0.0.1:1884',
      datapoints: [],
    },
  ],
  pids: {},
}

/** The lines to paste, in order. */
const lines = (environment: NodeJS.ProcessEnv) =>
  banner(FILE, readConfig({}, environment))
    .split('\n')
    .filter((line) => /^(\w+='[^']*' )*(curl|\.\/plantroom) /.test(line))

test('a demo prints the console address first, with the login beside it', () => {
  const [, , , first] = banner(FILE, readConfig({}, {})).split('\n')
  expect(first).toBe('  Console     http://127.0.0.1:8080   sign in: demo@plantroom.example   hunter2')
})

test('a demo prints every connection and its endpoint', () => {
  const text = banner(FILE, readConfig({}, {}))
  expect(text).toContain('con_1   Inverter (modbus-tcp, 127.0.0.1:15020)\n')
  expect(text).toContain('con_2   Heat pump (mqtt, mqtt://127.0.0.1:1884)\n')
})

describe('the lines to paste', () => {
  test('read, override, report and watch', () => {
    expect(lines({})).toEqual([
      expect.stringMatching(/^curl .*getTechnicalConnectionValues' .*"id":"con_1"/),
      "./plantroom dr override 'Charge power' 20 --for 1m",
      './plantroom reports',
      './plantroom dr watch',
    ])
  })

  test('work for a demo with another folder or certificate', () => {
    expect(lines({ PLANTROOM_DATA: '/tmp/a demo', PLANTROOM_TLS_CERT: '/tmp/cert.pem' })).toEqual([
      expect.stringMatching(/^curl -sS --cacert \/tmp\/cert\.pem /),
      expect.stringContaining("PLANTROOM_DATA='/tmp/a demo' "),
      expect.stringContaining("PLANTROOM_DATA='/tmp/a demo' "),
      "PLANTROOM_DATA='/tmp/a demo' PLANTROOM_TLS_CERT='/tmp/cert.pem' ./plantroom dr watch",
    ])
  })

  test('override a datapoint of the battery room within its envelope', async () => {
    const [, name, value] = /dr override '([^']+)' (\S+) /.exec(banner(FILE, readConfig({}, {}))) ?? []
    const { connections } = await readCommissioningFile(BATTERY_ROOM)
    const found = connections.flatMap(({ datapoints }) => datapoints).filter((datapoint) => datapoint.name === name)
    expect(found).toHaveLength(1)
    const { min = Number.NaN, max = Number.NaN } = found[0]?.writeInputData ?? {}
    expect(Number(value)).toBeGreaterThanOrEqual(min)
    expect(Number(value)).toBeLessThanOrEqual(max)
  })
})
