import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Reading } from '../driver.ts'
import { commandPayload, createPayload, readState } from './codec.ts'
import type { Command, SwitchValues } from './config.ts'
import { restoringPayload, withImage } from './image.ts'
import { parsePath, wrapping } from './json-path.ts'

const PLAIN: Command = {
  topic: 'hp/set',
  pieces: ['', ''],
  quoted: false,
  switchValues: undefined,
  decimals: undefined,
  qos: 1,
  retain: false,
}
const JSON_FORM: Command = { ...PLAIN, pieces: wrapping(parsePath('set') ?? expect.fail()) ?? [], quoted: true }
const TEMPLATE: Command = { ...PLAIN, pieces: ['SET ', ';'] }
const SWITCH = { on: 'ON', off: 'OFF' }

function read(text: string, command: Command, path?: string): Reading {
  const payload = createPayload(Buffer.from(text))
  const parsed = path === undefined ? undefined : parsePath(path)
  return withImage(
    readState(payload, parsed, command.switchValues as SwitchValues | undefined),
    payload.at(parsed),
    command,
  )
}

const restored = (reading: Reading, command: Command) =>
  restoringPayload(command, { image: reading.image ?? expect.fail('no image') })

describe('a state that no raw value restores', () => {
  test.each<[string, Command, string]>([
    ['NaN', PLAIN, 'NaN'],
    ['inf', PLAIN, 'inf'],
    ['-0', PLAIN, '-0'],
    ['1e400', PLAIN, '1e400'],
    ['1e17', PLAIN, '1e17'],
    ['0.1234567890123456789', PLAIN, '0.1234567890123456789'],
    [' auto\n', PLAIN, 'auto'],
    ['NaN', JSON_FORM, '{"set":"NaN"}'],
    ['auto "x"', JSON_FORM, String.raw`{"set":"auto \"x\""}`],
    ['-0', JSON_FORM, '{"set":-0}'],
    ['+.12345678901234567890', JSON_FORM, '{"set":0.12345678901234567890}'],
    ['standby', { ...PLAIN, switchValues: SWITCH }, 'standby'],
    ['2', { ...JSON_FORM, switchValues: SWITCH }, '{"set":2}'],
    ['-0', TEMPLATE, 'SET -0;'],
    ['1e400', TEMPLATE, 'SET 1e400;'],
    ['21.449', { ...PLAIN, decimals: 1 }, '21.449'],
  ])('as text %s has an image that is sent as %#', (text, command, payload) => {
    expect(restored(read(text, command), command)).toBe(payload)
  })

  test.each<[string, Command, string]>([
    ['{"v":"NaN"}', JSON_FORM, '{"set":"NaN"}'],
    ['{"v":-0}', JSON_FORM, '{"set":-0}'],
    ['{"v":1e400}', JSON_FORM, '{"set":1e400}'],
    ['{"v":1e17}', JSON_FORM, '{"set":1e17}'],
    ['{"v":0.1234567890123456789}', JSON_FORM, '{"set":0.1234567890123456789}'],
    ['{"v":"auto"}', JSON_FORM, '{"set":"auto"}'],
    ['{"v":"auto"}', PLAIN, 'auto'],
    ['{"v":"standby"}', { ...JSON_FORM, switchValues: SWITCH }, '{"set":"standby"}'],
    ['{"v":2}', { ...JSON_FORM, switchValues: SWITCH }, '{"set":2}'],
    ['{"v":12345678901234567890}', { ...JSON_FORM, switchValues: SWITCH }, '{"set":12345678901234567890}'],
    ['{"v":21.449}', { ...JSON_FORM, decimals: 1 }, '{"set":21.449}'],
  ])('in JSON %s has an image that is sent as %#', (text, command, payload) => {
    expect(restored(read(text, command, 'v'), command)).toBe(payload)
  })

  test('still has a raw value if it is a number', () => {
    expect(read('-0', PLAIN)).toEqual({ raw: 0, image: '"-0"' })
    expect(read('{"v":-0}', JSON_FORM, 'v')).toEqual({ raw: 0, image: '-0' })
    expect(read('1e17', PLAIN)).toEqual({ raw: 1e17, image: '"1e17"' })
  })
})

describe('no image', () => {
  test.each<[string, Command, string?]>([
    ['21.5', PLAIN],
    ['21.50', PLAIN],
    ['9007199254740993', PLAIN],
    ['{"v":9007199254740993}', JSON_FORM, 'v'],
    ['{"v":"21.5"}', JSON_FORM, 'v'],
    ['true', PLAIN],
    ['{"v":true}', JSON_FORM, 'v'],
    ['ON', { ...PLAIN, switchValues: SWITCH }],
    ['1', { ...PLAIN, switchValues: SWITCH }],
    ['21.4', { ...PLAIN, decimals: 1 }],
  ])('is needed for %s with %#', (text, command, path) => {
    const reading = read(text, command, path)
    expect(reading).toHaveProperty('raw')
    expect(reading).not.toHaveProperty('image')
  })

  test.each<[string, Command, string?]>([
    ['', PLAIN],
    ['  ', PLAIN],
    ['{"v":null}', JSON_FORM, 'v'],
    ['{"v":""}', JSON_FORM, 'v'],
    ['{}', JSON_FORM, 'v'],
    ['not JSON', JSON_FORM, 'v'],
    ['{"v":{"w":1}}', JSON_FORM, 'v'],
    ['{"v":1}', PLAIN],
    ['[1]', PLAIN],
    ['auto', TEMPLATE],
    ['NaN', TEMPLATE],
    ['x'.repeat(1025), PLAIN],
  ])('is available for %s with %#', (text, command, path) => {
    const reading = read(text, command, path)
    expect(reading).toHaveProperty('error')
    expect(reading).not.toHaveProperty('image')
  })
})

test('restores every state exactly, through its raw value or its image', () => {
  const number = fc.oneof(
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => (Object.is(value, -0) ? '-0' : String(value))),
    fc.bigInt().map(String),
  )
  fc.assert(
    fc.property(number, fc.constantFrom(undefined, 1), (text, decimals) => {
      const command = { ...JSON_FORM, decimals }
      const reading = read(`{"set":${text}}`, command, 'set')
      const payload =
        reading.image === undefined
          ? commandPayload(command, 'raw' in reading ? reading.raw : expect.fail())
          : restored(reading, command)
      expect(Object.is(Number(payload.slice('{"set":'.length, -1)), Number(text))).toBe(true)
      expect(read(payload, command, 'set')).toEqual(reading)
    }),
  )
})

test.each([
  '',
  'null',
  'NaN',
  '{}',
  '[1]',
  '"',
  '""',
  '" a"',
  '"{}"',
  String.raw`"\ud800"`,
  '01',
  '1 2',
  JSON.stringify('x'.repeat(1025)),
  '1'.repeat(100_000),
  7 as unknown as string,
])('rejects an image that did not come from a reading: %j', (image) => {
  for (const command of [PLAIN, JSON_FORM, TEMPLATE]) {
    expect(() => restoringPayload(command, { image })).toThrow(expect.objectContaining({ kind: 'rejected' }))
    expect(() => restoringPayload(command, { image })).toThrow(
      /^the stored value .{0,101} is damaged; nothing was sent$/,
    )
  }
})

test('rejects an image of text for a template', () => {
  expect(() => restoringPayload(TEMPLATE, { image: '"auto"' })).toThrow('is damaged')
})
