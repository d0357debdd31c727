import type { CommissionedDatapoint, CommissioningFile } from '@plantroom/contract/commissioning'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assignIds } from './assign-ids.ts'
import { buildTechnicalSystem } from './technical-system.ts'

const on = { deviceId: 'dev_1', timeZone: 'UTC', now: '2030-01-01T00:00:00.000Z' }

type Points = Readonly<Record<string, Partial<CommissionedDatapoint>>>

const fileOf = (connections: Readonly<Record<string, { host: string; points: Points }>>): CommissioningFile => ({
  technicalSystem: 'System',
  connections: Object.entries(connections).map(([name, { host, points }]) => ({
    ...{ name, protocol: 'modbus-tcp', settings: { host, port: 502 } },
    datapoints: Object.entries(points).map(([point, one]) => ({ name: point, accessType: 'READ', data: {}, ...one })),
  })),
})
const at = (register: number, accessType: CommissionedDatapoint['accessType'] = 'READ_WRITE') => ({
  ...{ accessType, data: { register, type: 'int16' } },
})

/** Loads one file after the other, and returns the ids by `Connection` and `Connection/Datapoint`, and what was matched. */
function load(...files: readonly CommissioningFile[]) {
  let before: ReturnType<typeof buildTechnicalSystem> | undefined
  let matched: ReturnType<typeof assignIds>['matched'] = []
  for (const file of files) {
    matched = assignIds(file, { ...on, before }).matched
    before = JSON.parse(JSON.stringify(buildTechnicalSystem(file, { ...on, before }))) as typeof before
  }
  const ids = new Map<string, string>()
  for (const { id, name, datapoints } of before?.connections ?? []) {
    ids.set(name, id)
    for (const point of datapoints) ids.set(`${name}/${point.name}`, point.id)
  }
  return { idOf: (name: string) => ids.get(name) ?? expect.fail(`no ${name}`), ids, matched }
}

const first = fileOf({ Inverter: { host: 'a', points: { Power: at(1), State: at(2, 'READ'), Limit: at(3) } } })

describe('ids after a change of names', () => {
  test('stay with the address, for datapoints that are written and those that are read', () => {
    const renamed = fileOf({ Inverter: { host: 'a', points: { Limit: at(3), P: at(1), S: at(2, 'READ') } } })
    const [old, now] = [load(first), load(first, renamed)]
    expect(now.idOf('Inverter/P')).toBe(old.idOf('Inverter/Power'))
    expect(now.idOf('Inverter/S')).toBe(old.idOf('Inverter/State'))
    expect(now.idOf('Inverter/Limit')).toBe(old.idOf('Inverter/Limit'))
    expect(now.matched).toEqual([
      { path: 'connections[0].datapoints[1]', id: old.idOf('Inverter/Power'), by: 'address', was: 'Power' },
      { path: 'connections[0].datapoints[2]', id: old.idOf('Inverter/State'), by: 'address', was: 'State' },
    ])
  })

  test('do not depend on the order of the fields of an address', () => {
    const renamed = fileOf({
      Inverter: { host: 'a', points: { P: { ...at(1), data: { type: 'int16', register: 1 } } } },
    })
    expect(load(first, renamed).idOf('Inverter/P')).toBe(load(first).idOf('Inverter/Power'))
  })

  test('stay with the settings of a connection, and with all of its datapoints', () => {
    const renamed = fileOf({ Battery: { host: 'a', points: { Power: at(1), S: at(2, 'READ'), Limit: at(3) } } })
    const [old, now] = [load(first), load(first, renamed)]
    expect(now.idOf('Battery')).toBe(old.idOf('Inverter'))
    expect(now.idOf('Battery/Power')).toBe(old.idOf('Inverter/Power'))
    expect(now.idOf('Battery/S')).toBe(old.idOf('Inverter/State'))
    expect(now.matched).toEqual([
      { path: 'connections[0]', id: old.idOf('Inverter'), by: 'settings', was: 'Inverter' },
      { path: 'connections[0].datapoints[1]', id: old.idOf('Inverter/State'), by: 'address', was: 'State' },
    ])
  })

  test('are new when name and address, or name and settings, change together', () => {
    const points = fileOf({ Inverter: { host: 'a', points: { P: at(9) } } })
    expect([...load(first).ids.values()]).not.toContain(load(first, points).idOf('Inverter/P'))
    expect(load(first, points).matched).toMatchObject([{ path: 'connections[0].datapoints[0]', by: 'new' }])
    const moved = load(first, fileOf({ Battery: { host: 'b', points: { Power: at(1) } } }))
    expect([...load(first).ids.values()]).not.toContain(moved.idOf('Battery'))
    expect(moved.matched).toEqual([{ path: 'connections[0]', id: moved.idOf('Battery'), by: 'new' }])
  })

  test('go by the name first: a name that moves to another address keeps its id', () => {
    const swapped = fileOf({ Inverter: { host: 'a', points: { Power: at(3), Limit: at(1) } } })
    const [old, now] = [load(first), load(first, swapped)]
    expect(now.idOf('Inverter/Power')).toBe(old.idOf('Inverter/Power'))
    expect(now.idOf('Inverter/Limit')).toBe(old.idOf('Inverter/Limit'))
  })

  test('are new where two candidates have the address, unless the access type tells them apart', () => {
    const twice = fileOf({ Inverter: { host: 'a', points: { A: at(1, 'READ'), B: at(1, 'READ'), C: at(1) } } })
    const renamed = fileOf({ Inverter: { host: 'a', points: { X: at(1, 'READ'), Z: at(1) } } })
    const [old, now] = [load(twice), load(twice, renamed)]
    expect([...old.ids.values()]).not.toContain(now.idOf('Inverter/X'))
    expect(now.idOf('Inverter/Z')).toBe(old.idOf('Inverter/C'))
  })

  test('stay when the access type changes along with the name', () => {
    const renamed = fileOf({ Inverter: { host: 'a', points: { P: at(1, 'READ') } } })
    expect(load(first, renamed).idOf('Inverter/P')).toBe(load(first).idOf('Inverter/Power'))
  })

  test('are not given twice when an old name comes back for something else', () => {
    const renamed = fileOf({ Battery: { host: 'a', points: { P: at(1) } } })
    const reused = fileOf({
      Battery: { host: 'a', points: { P: at(1), Power: at(8) } },
      Inverter: { host: 'b', points: { Power: at(1) } },
    })
    const now = load(first, renamed, reused)
    expect(new Set(now.ids.values()).size).toBe(now.ids.size)
    expect(load(first, renamed, reused, reused).ids).toEqual(now.ids)
    expect(now.idOf('Battery/P')).toBe(load(first).idOf('Inverter/Power'))
  })

  test('are unique and the same again, whatever is renamed how often', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd')
    const points = fc.dictionary(
      name,
      fc.integer({ min: 0, max: 3 }).map((register) => at(register)),
    )
    const file = fc.dictionary(name, fc.record({ host: name, points })).map(fileOf)
    fc.assert(
      fc.property(fc.array(file, { minLength: 1, maxLength: 6 }), (files) => {
        const { ids } = load(...files)
        expect(new Set(ids.values()).size).toBe(ids.size)
        expect(load(...files, ...files.slice(-1)).ids).toEqual(ids)
      }),
    )
  })
})

test('a system that is new lists nothing as matched', () => {
  expect(load(first).matched).toEqual([])
})
