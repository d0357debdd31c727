import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileProblems } from '@plantroom/contract/commissioning'
import { describe, expect, test } from 'vitest'
import { readCommissioningFile } from '../commissioning-file.ts'
import { endpointOf, FILES, withEndpoints } from './building.ts'

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
      'Heat pump': 'mqtt://127.0.0.1:4002',
      AHU: 'http://127.0.0.1:4003/obix/',
    })
    for (const [index, { settings, ...rest }] of after.entries()) {
      const { host, port, url, ...others } = settings
      expect(before[index]).toMatchObject({ ...rest, settings: others })
    }
  })
})
