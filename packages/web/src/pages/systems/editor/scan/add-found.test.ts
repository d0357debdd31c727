import type { FoundConnection, FoundDatapoint } from '@plantroom/contract/discovery'
import { describe, expect, test } from 'vitest'
import { addFound } from './add-found.ts'
import { NEW_TARGET, readTarget, usualUnits } from './read-target.ts'

const found = (name: string, point: string): FoundDatapoint => ({
  ...{ name, accessType: 'READ', data: { model: 103, point }, unit: 'W', raw: 1, warnings: ['look'] },
})
const inverter: FoundConnection = {
  ...{ name: 'Maker Model, unit 1', protocol: 'sunspec', settings: { host: '10.0.0.6', unitId: 1 } },
  ...{ datapoints: [found('W (103)', 'W'), found('Hz (103)', 'Hz')], description: 'Maker Model', warnings: [] },
}
const empty = { technicalSystem: '', connections: [] }

describe('what a person picked from a scan', () => {
  test('becomes a connection of the file, which is named like it if it has no name', () => {
    const { file, added } = addFound(empty, [inverter])
    expect(added).toBe(2)
    expect(file).toEqual({
      technicalSystem: 'Maker Model, unit 1',
      connections: [
        {
          ...{ name: 'Maker Model, unit 1', protocol: 'sunspec', settings: { host: '10.0.0.6', unitId: 1 } },
          datapoints: [
            { name: 'W (103)', accessType: 'READ', unit: 'W', data: { model: 103, point: 'W' } },
            { name: 'Hz (103)', accessType: 'READ', unit: 'W', data: { model: 103, point: 'Hz' } },
          ],
        },
      ],
    })
  })

  test('is added to the connection to the same equipment, without addresses that it has', () => {
    const known = {
      ...{ name: 'Roof', protocol: 'sunspec' as const, settings: { port: 502, host: '10.0.0.6', pollSeconds: 2 } },
      datapoints: [{ name: 'Hz (103)', accessType: 'READ' as const, data: { point: 'W', model: 103 } }],
    }
    const { file, added } = addFound({ technicalSystem: 'Sun', connections: [known] }, [inverter])
    expect([file.technicalSystem, file.connections.length, added]).toEqual(['Sun', 1, 1])
    expect(file.connections[0]?.datapoints.map(({ name }) => name)).toEqual(['Hz (103)', 'Hz (103) 2'])
    expect(addFound(file, [inverter])).toEqual({ file, added: 0 })
  })

  test('of other equipment is a connection with a name of its own', () => {
    const other = { ...inverter, settings: { host: '10.0.0.6', unitId: 2 } }
    const { file } = addFound(addFound(empty, [inverter]).file, [other])
    expect(file.connections.map(({ name }) => name)).toEqual(['Maker Model, unit 1', 'Maker Model, unit 1 2'])
  })
})

describe('where a person points a scan', () => {
  const read = (about: Partial<typeof NEW_TARGET>) => readTarget({ ...NEW_TARGET, ...about })
  test.each<[Partial<typeof NEW_TARGET>, object]>([
    [{ where: ' 10.0.0.5 ' }, { host: '10.0.0.5', unitIds: '1-32' }],
    [
      { where: 'plc.local:1502', units: '3' },
      { host: 'plc.local', port: 1502, unitIds: '3' },
    ],
    [{ where: '10.0.0.0/24:502' }, { host: '10.0.0.0/24', port: 502, unitIds: '1-4' }],
    [
      { where: 'fe80::1', protocol: 'sunspec' as const },
      { host: 'fe80::1', unitIds: '1-10' },
    ],
    [
      { where: '10.0.0.5', protocol: 'bacnet-ip', more: { network: 5 } },
      { host: '10.0.0.5', network: 5 },
    ],
    [
      { where: '/dev/ttyUSB0', protocol: 'modbus-rtu', more: { parity: 'none' } },
      { path: '/dev/ttyUSB0', unitIds: '1-32', parity: 'none' },
    ],
  ])('%j is %j', (draft, settings) => {
    expect(read(draft)).toEqual({ protocol: draft.protocol ?? 'modbus-tcp', settings })
  })

  test.each([
    [{ where: '' }, 'Enter a host'],
    [{ where: '10.0.0.0/16' }, '10.0.0.0/16 has 65,536 addresses'],
    [{ where: '10.0.0.0/23:502' }, '512 addresses'],
    [{ where: '10.0.0.0/99' }, 'is not a network'],
    [{ where: '255.255.255.255' }, 'is not the address of equipment'],
    [{ where: 'fe80::/64' }, 'is not an IPv4 network'],
    [{ where: '10.0.0.5', protocol: 'modbus-rtu' as const }, 'Enter a serial port'],
  ])('%j is refused before anything is sent: %s', (draft, problem) => {
    expect(read(draft)).toEqual({ problem: expect.stringContaining(problem) })
  })

  test('says which units are asked', () => {
    expect(usualUnits({ protocol: 'modbus-rtu', where: '/dev/ttyUSB0' })).toBe('1-32')
  })
})
