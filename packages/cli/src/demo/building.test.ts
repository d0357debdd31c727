import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileProblems } from '@plantroom/contract/commissioning'
import { describe, expect, test } from 'vitest'
import { readCommissioningFile } from '../commissioning-file.ts'
import { endpointOf, FILES, fileToLoad, markOf, movedEndpoints, withEndpoints } from './building.ts'
import type { DemoFile } from './demo-file.ts'

const FOLDER = join(import.meta.dirname, '../../../simulator/demo')
const EQUIPMENT = {
  modbus: { host: '127.0.0.1', port: 4001 },
  mqtt: { url: 'mqtt://127.0.0.1:4002' },
  obix: { url: 'http://127.0.0.1:4003/obix/' },
}

const files = () => Promise.all(FILES.map((name) => readCommissioningFile(join(FOLDER, name))))

describe('the demo building', () => {
  test('loads every file of the simulator', () => {
    expect(FILES.toSorted()).toEqual(readdirSync(FOLDER).sort())
  })

  test('has no problems', async () => {
    for (const file of await files()) expect(fileProblems(withEndpoints(file, EQUIPMENT))).toEqual([])
  })

  test('points to the simulated equipment and changes nothing else', async () => {
    const before = (await files()).flatMap(({ connections }) => connections)
    const after = (await files()).flatMap((file) => withEndpoints(file, EQUIPMENT).connections)
    expect(Object.fromEntries(after.map((connection) => [connection.name, endpointOf(connection)]))).toEqual({
      Inverter: '127.0.0.1:4001',
      'Grid meter': '127.0.0.1:4001',
      Boiler: '127.0.0.1:4001',
      'Heat pump': 'mqtt://127.0.0.1:4002',
      AHU: 'http://127.0.0.1:4003/obix/',
    })
    for (const [index, { settings, ...rest }] of after.entries()) {
      const { host, port, url, ...others } = settings
      expect(before[index]).toMatchObject({ ...rest, settings: others })
    }
  })
})

describe('a restart of the demo', () => {
  const load = async () => {
    const [file] = await files()
    if (!file) throw new Error('the building has a file')
    return { own: withEndpoints(file, EQUIPMENT), moved: new Map<string, object>() }
  }
  const elsewhere = { ...EQUIPMENT, modbus: { host: '127.0.0.1', port: 5001 } }

  test('loads its file where nothing was ever commissioned', async () => {
    const { own, moved } = await load()
    expect(fileToLoad({ own, moved, now: undefined, mark: undefined })).toBe(own)
  })

  test('loads its file where what it loaded is unchanged, also in a newer version or on another port', async () => {
    const { own, moved } = await load()
    const older = { ...own, schedules: [] }
    expect(fileToLoad({ own, moved, now: older, mark: markOf(older) })).toBe(own)
    expect(fileToLoad({ own, moved, now: withEndpoints(own, elsewhere), mark: undefined })).toBe(own)
  })

  test('keeps what a person loaded, changed or removed', async () => {
    const { own, moved } = await load()
    const mark = markOf(own)
    expect(fileToLoad({ own, moved, now: { ...own, schedules: [] }, mark })).toBeUndefined()
    expect(fileToLoad({ own, moved, now: { ...own, schedules: [] }, mark: undefined })).toBeUndefined()
    expect(fileToLoad({ own, moved, now: undefined, mark })).toBeUndefined()
  })

  test('follows simulated equipment that has moved, and changes nothing else of a person’s file', async () => {
    const { own } = await load()
    const last = {
      connections: own.connections.map((connection) => ({ ...connection, endpoint: endpointOf(connection) })),
    } as unknown as DemoFile
    const [theirs] = own.connections
    if (!theirs) throw new Error('the file has a connection')
    const real = { ...theirs, name: 'Real', settings: { ...theirs.settings, host: '10.0.0.5' } }
    const now = { ...own, schedules: [], connections: [theirs, real] }
    const loaded = fileToLoad({ own, now, mark: markOf(own), moved: movedEndpoints(last, elsewhere) })
    expect(loaded).toEqual({
      ...now,
      connections: [{ ...theirs, settings: { ...theirs.settings, port: 5001 } }, real],
    })
  })
})
