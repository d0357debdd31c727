import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import { beforeEach, describe, expect, test } from 'vitest'
import { POINTS } from '../building/air-handler-points.ts'
import { type LiveBuilding, startBuilding } from '../building/live-building.ts'
import type { ObixFaults } from '../faults.ts'
import { createObixModel, type ObixModel } from './model.ts'
import { childNamed, type Element, parseXml } from './xml.ts'

let clock: ManualClock
let building: LiveBuilding
let faults: ObixFaults
let model: ObixModel

beforeEach(() => {
  clock = createManualClock()
  building = startBuilding({ clock, seed: 1 })
  faults = {}
  model = createObixModel({ points: POINTS, building, clock, faults: () => faults })
})

const read = (path: string) => model.request('read', path, undefined)
const write = (path: string, xml: string) => model.request('write', path, parseXml(xml))
const invoke = (path: string, xml?: string) =>
  model.request('invoke', path, xml === undefined ? undefined : parseXml(xml))
const badUri = (path: string) => ({
  tag: 'err',
  attributes: { is: 'obix:BadUriErr', display: `there is nothing at ${path}` },
})

describe('an oBIX server shows', () => {
  test('a lobby with links to everything', () => {
    const lobby = read('/obix/')
    expect(lobby).toMatchObject({ tag: 'obj', attributes: { is: 'obix:Lobby', href: '/obix/' } })
    expect(childNamed(lobby, 'batch')).toMatchObject({
      tag: 'op',
      attributes: { href: 'batch/', in: 'obix:BatchIn', out: 'obix:BatchOut' },
    })
    for (const name of ['about', 'watchService', 'points']) {
      const href = childNamed(lobby, name)?.attributes.href
      expect(read(`/obix/${href}`)).toMatchObject({ attributes: { href: `/obix/${href}` } })
    }
    for (const { attributes } of childNamed(lobby, 'points')?.children ?? []) {
      expect(read(`/obix/${attributes.href}`).tag).not.toBe('err')
    }
    expect(read('/obix')).toEqual(lobby)
  })

  test('a writable point with its operation', () => {
    expect(read('/obix/points/supplyAir/')).toEqual({
      tag: 'real',
      attributes: {
        is: 'obix:WritablePoint obix:Point',
        href: '/obix/points/supplyAir/',
        displayName: 'Supply air setpoint',
        val: '21',
        display: '21 °C',
        unit: 'obix:units/celsius',
        min: '14',
        max: '30',
        writable: 'true',
      },
      children: [
        {
          tag: 'op',
          attributes: {
            name: 'writePoint',
            href: '/obix/points/supplyAir/writePoint/',
            in: 'obix:WritePointIn',
            out: 'obix:Point',
          },
          children: [],
        },
      ],
    })
    expect(read('/obix/points/supplyAir')).toEqual(read('/obix/points/supplyAir/'))
  })

  test.each([
    ['fanSpeed', 'int', { val: '70', unit: 'obix:units/percent' }],
    ['extractAir', 'real', { val: '21', unit: 'obix:units/celsius' }],
    ['roomTemperature', 'real', { val: '20.5' }],
    ['fanPower', 'real', { val: '1.37', unit: 'obix:units/kilowatt' }],
    ['running', 'bool', { val: 'true' }],
    ['airQuality', 'real', { null: 'true' }],
  ])('the point %s', (name, tag, attributes) => {
    expect(read(`/obix/points/${name}/`)).toMatchObject({ tag, attributes })
  })

  test('null for a missing value', () => {
    expect(read('/obix/points/airQuality/').attributes).not.toHaveProperty('val')
  })

  test.each([
    '/',
    '',
    '/obix/nothing/',
    '/obix/points/nothing/',
    '/obix/points/supplyAir/deeper/',
    '/obix/points//',
    '/obix/about/x/',
    '/obixx/points/supplyAir/',
    '/obix/toString/',
    '/obix/watches/1/',
    '/obix/batch/x/',
  ])('an err for %s', (path) => {
    expect(read(path)).toMatchObject(badUri(path))
  })
})

describe('a point', () => {
  test('is written, and returns its new value', async () => {
    expect(write('/obix/points/supplyAir/', '<real val="24.5"/>')).toMatchObject({
      attributes: { val: '24.5', href: '/obix/points/supplyAir/' },
    })
    expect(building.now().airHandler.setpointC).toBe(24.5)
    await clock.advance(300_000)
    expect(Number(read('/obix/points/supplyAirActual/').attributes.val)).toBeCloseTo(24.5, 1)
  })

  test('is written through its operation', () => {
    const input = '<obj is="obix:WritePointIn"><int name="value" val="40"/></obj>'
    expect(invoke('/obix/points/fanSpeed/writePoint/', input)).toMatchObject({ tag: 'int', attributes: { val: '40' } })
    expect(building.now().airHandler.fanPercent).toBe(40)
  })

  test.each([
    ['supplyAir', '<real val="31"/>', '31 is not from 14 to 30'],
    ['supplyAir', '<real val="warm"/>', 'warm is not a real'],
    ['supplyAir', '<real val=""/>', ' is not a real'],
    ['supplyAir', '<real val="0x14"/>', '0x14 is not a real'],
    ['supplyAir', '<real val="INF"/>', 'INF is not a real'],
    ['supplyAir', '<real/>', 'a value is needed'],
    ['supplyAir', '<real null="true" val="20"/>', 'a value is needed'],
    ['supplyAir', '<bool val="true"/>', 'a real is needed'],
    ['fanSpeed', '<real val="40.5"/>', '40.5 is not a int'],
  ])('%s rejects %s', (name, xml, display) => {
    const before = building.now()
    expect(write(`/obix/points/${name}/`, xml)).toMatchObject({ tag: 'err', attributes: { display } })
    expect(building.now()).toBe(before)
  })

  test('that is only measured cannot be written', () => {
    const err = { tag: 'err', attributes: { is: 'obix:PermissionErr', display: 'the point is read only' } }
    expect(write('/obix/points/extractAir/', '<real val="20"/>')).toMatchObject(err)
    expect(invoke('/obix/points/extractAir/writePoint/', '<obj><real name="value" val="20"/></obj>')).toMatchObject(err)
  })

  test('that does not exist cannot be written', () => {
    expect(write('/obix/points/nothing/', '<real val="20"/>')).toMatchObject(badUri('/obix/points/nothing/'))
  })

  test('acknowledges a write that it ignores, with that fault', () => {
    faults = { 'ignore-writes': 1 }
    expect(write('/obix/points/supplyAir/', '<real val="24.5"/>')).toMatchObject({ tag: 'real' })
    expect(building.now().airHandler.setpointC).toBe(21)
  })
})

test('an object that cannot be written or invoked returns an err', () => {
  const err = (display: string) => ({ tag: 'err', attributes: { is: 'obix:UnsupportedErr', display } })
  expect(write('/obix/about/', '<obj/>')).toMatchObject(err('/obix/about/ cannot be written'))
  expect(invoke('/obix/')).toMatchObject(err('/obix/ cannot be invoked'))
})

describe('a batch', () => {
  const batch = (items: string) => invoke('/obix/batch/', `<list is="obix:BatchIn" of="obix:uri">${items}</list>`)

  test('has a result for every item, in order, with the requested href', () => {
    const { attributes, children } = batch(`
      <uri is="obix:Read" val="/obix/points/extractAir/"/>
      <uri is="obix:Write" val="http://ahu.example/obix/points/supplyAir"><real name="in" val="23"/></uri>
      <uri is="obix:Invoke" val="/obix/points/fanSpeed/writePoint/"><obj name="in"><int name="value" val="55"/></obj></uri>
      <uri is="obix:Read" val="/obix/points/nothing/"/>
      <uri is="obix:Read" val="points/extractAir/"/>
      <uri val="/obix/points/extractAir/"/>
      <uri is="constructor" val="/obix/points/extractAir/"/>
      <str val="/obix/points/extractAir/"/>`)
    expect(attributes).toEqual({ is: 'obix:BatchOut', of: 'obix:obj' })
    expect(children.map(({ tag, attributes: { href, val, is } }) => [tag, href, val ?? is])).toEqual([
      ['real', '/obix/points/extractAir/', '21'],
      ['real', 'http://ahu.example/obix/points/supplyAir', '23'],
      ['int', '/obix/points/fanSpeed/writePoint/', '55'],
      ['err', '/obix/points/nothing/', 'obix:BadUriErr'],
      ['err', 'points/extractAir/', 'obix:BadUriErr'],
      ['err', '/obix/points/extractAir/', 'obix:UnsupportedErr'],
      ['err', '/obix/points/extractAir/', 'obix:UnsupportedErr'],
      ['err', '/obix/points/extractAir/', 'obix:UnsupportedErr'],
    ])
    expect(building.now().airHandler).toMatchObject({ setpointC: 23, fanPercent: 55 })
  })

  test('without items has no results', () => {
    expect(batch('').children).toEqual([])
    expect(invoke('/obix/batch/').children).toEqual([])
  })
})

describe('a watch', () => {
  const hrefs = (...values: string[]) =>
    `<obj is="obix:WatchIn"><list name="hrefs">${values.map((val) => `<uri val="${val}"/>`).join('')}</list></obj>`
  const values = (out: Element) =>
    childNamed(out, 'values')?.children.map(({ tag, attributes: { href, val } }) => [tag, href, val])
  const SUPPLY = '/obix/points/supplyAir/'
  const FAN = '/obix/points/fanSpeed/'

  function make(): string {
    const watch = invoke('/obix/watchService/make/')
    expect(watch).toMatchObject({ tag: 'obj', attributes: { is: 'obix:Watch' } })
    const { href = '' } = watch.attributes
    for (const { tag, attributes } of watch.children)
      expect([tag, attributes.href]).toEqual([tag, `${attributes.name}/`])
    return href
  }

  test('reports its objects, then their changes, then everything on a refresh', () => {
    const watch = make()
    expect(values(invoke(`${watch}add/`, hrefs(SUPPLY, FAN, '/obix/points/nothing/')))).toEqual([
      ['real', SUPPLY, '21'],
      ['int', FAN, '70'],
      ['err', '/obix/points/nothing/', undefined],
    ])
    expect(values(invoke(`${watch}pollChanges/`))).toEqual([])
    write(SUPPLY, '<real val="25"/>')
    expect(values(invoke(`${watch}pollChanges/`))).toEqual([['real', SUPPLY, '25']])
    expect(values(invoke(`${watch}pollChanges/`))).toEqual([])
    expect(values(invoke(`${watch}pollRefresh/`))).toEqual([
      ['real', SUPPLY, '25'],
      ['int', FAN, '70'],
    ])
  })

  test('forgets removed objects', () => {
    const watch = make()
    invoke(`${watch}add/`, hrefs(SUPPLY, FAN))
    expect(invoke(`${watch}remove/`, hrefs(SUPPLY, '/never'))).toMatchObject({ attributes: { is: 'obix:Nil' } })
    expect(values(invoke(`${watch}pollRefresh/`))).toEqual([['int', FAN, '70']])
  })

  test('is independent of other watches', () => {
    const [first, second] = [make(), make()]
    expect(first).not.toBe(second)
    invoke(`${first}add/`, hrefs(SUPPLY))
    expect(values(invoke(`${second}pollRefresh/`))).toEqual([])
  })

  test('ends when it is deleted', () => {
    const watch = make()
    expect(invoke(`${watch}delete/`)).toMatchObject({ attributes: { is: 'obix:Nil' } })
    expect(invoke(`${watch}pollChanges/`)).toMatchObject(badUri(`${watch}pollChanges/`))
  })

  test('ends with its lease, which every request renews', async () => {
    const watch = make()
    for (let poll = 0; poll < 3; poll += 1) {
      await clock.advance(59_000)
      expect(values(invoke(`${watch}pollChanges/`))).toEqual([])
    }
    await clock.advance(60_000)
    expect(invoke(`${watch}pollChanges/`)).toMatchObject(badUri(`${watch}pollChanges/`))
    expect(read(watch)).toMatchObject(badUri(watch))
  })

  test('uses the requested lease', async () => {
    const watch = make()
    expect(write(`${watch}lease/`, '<reltime val="PT1H1M30.5S"/>')).toMatchObject({
      tag: 'reltime',
      attributes: { href: `${watch}lease/`, val: 'PT3690.5S' },
    })
    await clock.advance(3_600_000)
    expect(read(watch).tag).toBe('obj')
    for (const xml of ['<reltime val="PT0S"/>', '<reltime val="PT"/>', '<reltime val="P1D"/>', '<real val="PT5S"/>']) {
      expect(write(`${watch}lease/`, xml)).toMatchObject({ tag: 'err' })
    }
  })

  test('has a short lease with that fault, whatever was requested', async () => {
    faults = { lease: 1 }
    const watch = make()
    write(`${watch}lease/`, '<reltime val="PT1H"/>')
    expect(childNamed(read(watch), 'lease')?.attributes.val).toBe('PT1S')
    await clock.advance(1000)
    expect(read(watch)).toMatchObject(badUri(watch))
  })

  test('is limited to a hundred: the oldest is dropped', () => {
    const first = make()
    for (let more = 0; more < 100; more += 1) make()
    expect(read(first)).toMatchObject(badUri(first))
  })

  test('has no hidden operations', () => {
    const watch = make()
    for (const operation of ['toString', 'nothing', 'add/deeper']) {
      expect(invoke(`${watch}${operation}/`)).toMatchObject(badUri(`${watch}${operation}/`))
    }
  })
})
