import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Raw } from '../driver.ts'
import { commandPayload, createPayload, MAX_PAYLOAD, nearestRaw, readState } from './codec.ts'
import type { Command, SwitchValues } from './config.ts'
import { parsePath, wrapping } from './json-path.ts'

const bytes = (text: string) => Buffer.from(text)
const read = (payload: string | Uint8Array, path?: string, switchValues?: SwitchValues) =>
  readState(
    createPayload(typeof payload === 'string' ? bytes(payload) : payload),
    path === undefined ? undefined : parsePath(path),
    switchValues,
  )
const SWITCH = { on: 'ON', off: 'OFF' }

const command = (about: Partial<Command> = {}): Command => ({
  topic: 'hp/set',
  pieces: ['', ''],
  quoted: false,
  switchValues: undefined,
  decimals: undefined,
  qos: 1,
  retain: false,
  ...about,
})
const at = (path: string, about: Partial<Command> = {}) => {
  const parsed = parsePath(path) ?? expect.fail(path)
  return command({ pieces: wrapping(parsed) ?? [], quoted: true, ...about })
}

describe('plain text', () => {
  test.each<[string, Raw]>([
    ['21.5', 21.5],
    [' 21.5\r\n', 21.5],
    ['-7', -7],
    ['+7', 7],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['1E-3', 0.001],
    ['\ufeff21.5', 21.5],
    ['true', 1],
    ['OFF', 0],
    ['On', 1],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-18446744073709551616', -18446744073709551616n],
    ['+18446744073709551616', 18446744073709551616n],
    ['0.12345678901234567890', 0.12345678901234568],
    ['1e17', 1e17],
    ['-0', 0],
    ['-0.0', 0],
  ])('%j is %s', (text, raw) => {
    expect(read(text)).toEqual({ raw })
  })

  test.each([
    ['', '"" is not a number'],
    ['warm', '"warm" is not a number'],
    ['21,5', '"21,5" is not a number'],
    ['21.5 °C', '"21.5 °C" is not a number'],
    ['0x10', '"0x10" is not a number'],
    ['1_000', '"1_000" is not a number'],
    ['NaN', '"NaN" is not a number'],
    ['Infinity', '"Infinity" is not a number'],
    ['-Infinity', '"-Infinity" is not a number'],
    ['--5', '"--5" is not a number'],
    ['toString', '"toString" is not a number'],
    ['1e400', '"1e400" is too large'],
    ['9'.repeat(400), `"${'9'.repeat(59)}… is too large`],
    ['{"value":1}', String.raw`"{\"value\":1}" is not a number`],
    ['x'.repeat(100), `"${'x'.repeat(59)}… is not a number`],
    ['a\nb\u0000', String.raw`"a\nb\u0000" is not a number`],
  ])('%j is not a number', (text, error) => {
    expect(read(text)).toEqual({ error })
  })
})

describe('JSON', () => {
  test.each<[string, string, Raw]>([
    ['{"value":21.5}', 'value', 21.5],
    ['{"sensors":[{"temp":-3}]}', 'sensors[0].temp', -3],
    ['{"value":"21.5"}', 'value', 21.5],
    ['{"value":true}', 'value', 1],
    ['{"value":"off"}', 'value', 0],
    ['{"value":1,"value":2}', 'value', 2],
    ['{"energy":9007199254740993}', 'energy', 9007199254740993n],
    ['{"energy":-9007199254740993,"x":{"y":12345678901234567890}}', 'x.y', 12345678901234567890n],
    ['{"energy":"9007199254740993"}', 'energy', 9007199254740993n],
    ['{"energy":9007199254740991}', 'energy', 9007199254740991],
    ['{"energy":9007199254740993.0}', 'energy', 9007199254740992],
    ['{"share":0.1234567890123456789}', 'share', 0.12345678901234568],
    ['{"__proto__":{"value":5}}', '__proto__.value', 5],
  ])('%s contains at %s: %s', (text, path, raw) => {
    expect(read(text, path)).toEqual({ raw })
  })

  test.each([
    ['21.5', 'value', 'value is not in the payload'],
    ['{}', 'value', 'value is not in the payload'],
    ['{"a":{}}', 'a.b[0]', 'a.b[0] is not in the payload'],
    ['{"value":null}', 'value', 'null is not a number'],
    ['{"value":{"deep":1}}', 'value', 'value is an object'],
    ['{"value":{"toString":1,"valueOf":2}}', 'value', 'value is an object'],
    ['{"value":[1]}', 'value', 'value is a list'],
    ['{"value":1e400}', 'value', '"1e400" is too large'],
    [`{"value":${'9'.repeat(400)}}`, 'value', `"${'9'.repeat(59)}… is too large`],
    ['{"value":NaN}', 'value', String.raw`the payload is not JSON: "{\"value\":NaN}"`],
    ['{"value":', 'value', String.raw`the payload is not JSON: "{\"value\":"`],
    ['', 'value', 'the payload is not JSON: ""'],
  ])('%s with %s cannot be read', (text, path, error) => {
    expect(read(text, path)).toEqual({ error })
  })

  test('that is nested too deeply is an error, and does not overflow the stack', () => {
    const deep = (inside: string) => `{"value":${'['.repeat(100_000)}${inside}${']'.repeat(100_000)}}`
    expect(read(deep(''), 'value')).toEqual({ error: 'value is a list' })
    expect(read(deep(''), 'value', SWITCH)).toEqual({ error: 'value is a list' })
    expect(read(deep('9007199254740993'), 'value')).toEqual({ error: 'the payload is nested too deeply' })
    expect(read('['.repeat(200_000), 'value')).toMatchObject({ error: expect.stringContaining('not JSON') })
  })
})

describe('a payload', () => {
  test('that is too long is not decoded', () => {
    const longest = ' '.repeat(MAX_PAYLOAD - 1)
    expect(read(`${longest}7`)).toEqual({ raw: 7 })
    expect(read(`${longest}17`)).toEqual({ error: 'the payload is longer than 256 KiB' })
    expect(createPayload(Buffer.alloc(MAX_PAYLOAD + 1)).bytes).toBeUndefined()
  })

  test('takes no longer to decode for a very long number', () => {
    for (const text of [`${'9'.repeat(200_000)}x`, `${'0'.repeat(200_000)}1`, `1e${'0'.repeat(200_000)}x`]) {
      expect(read(text)).toEqual({ error: expect.stringContaining('is not a number') })
    }
  })

  test('that is not UTF-8 is an error', () => {
    for (const path of [undefined, 'value']) {
      expect(read(Uint8Array.of(0x32, 0xff), path)).toEqual({ error: 'the payload is not UTF-8' })
    }
  })

  test('keeps its content when the original buffer changes', () => {
    const source = bytes('21.5')
    const payload = createPayload(source)
    source.fill('9')
    expect(readState(payload, undefined, undefined)).toEqual({ raw: 21.5 })
  })

  test('of any bytes gives a reading, whose number is always finite', () => {
    const anyPath = fc.constantFrom(undefined, 'value', 'a.b', '[0]')
    const anyBytes = fc.oneof(
      fc.uint8Array(),
      fc.string({ unit: 'binary' }).map(bytes),
      fc.json().map(bytes),
      fc.json().map((json) => bytes(`{"value":${json}}`)),
      fc.bigInt().map((whole) => bytes(`{"value":${whole}}`)),
      fc.double().map((value) => bytes(String(value))),
    )
    fc.assert(
      fc.property(anyBytes, anyPath, fc.constantFrom(undefined, SWITCH), (payload, path, switchValues) => {
        const reading = read(payload, path, switchValues)
        if ('error' in reading) expect(reading.error).toMatch(/^[^\n]{1,200}$/)
        else if (switchValues) expect([0, 1]).toContain(reading.raw)
        else expect(typeof reading.raw === 'bigint' || Number.isFinite(reading.raw)).toBe(true)
      }),
    )
  })
})

describe('a switch', () => {
  test.each<[string, SwitchValues, number]>([
    ['ON', SWITCH, 1],
    ['OFF', SWITCH, 0],
    ['off', SWITCH, 0],
    ['1', SWITCH, 1],
    ['0.0', SWITCH, 0],
    ['open', { on: 'closed', off: 'open' }, 0],
    ['2', { on: 2, off: 3 }, 1],
    ['off', { on: 'off', off: 'on' }, 1],
  ])('reads %s, with %j, as %i', (text, switchValues, raw) => {
    expect(read(text, undefined, switchValues)).toEqual({ raw })
    expect(read(JSON.stringify({ value: text }), 'value', switchValues)).toEqual({ raw })
  })

  test('compares JSON values with their types', () => {
    expect(read('{"value":true}', 'value', { on: true, off: false })).toEqual({ raw: 1 })
    expect(read('{"value":3}', 'value', { on: 2, off: 3 })).toEqual({ raw: 0 })
  })

  test('rejects every other value', () => {
    expect(read('standby', undefined, SWITCH)).toEqual({ error: '"standby" is neither "ON" nor "OFF"' })
    expect(read('2', undefined, SWITCH)).toEqual({ error: '"2" is neither "ON" nor "OFF"' })
    expect(read('{"value":null}', 'value', SWITCH)).toEqual({ error: 'null is neither "ON" nor "OFF"' })
  })

  test('sends its on and off values, quoted in JSON', () => {
    expect(commandPayload(command({ switchValues: SWITCH }), 1)).toBe('ON')
    expect(commandPayload(at('state', { switchValues: SWITCH }), 0n)).toBe('{"state":"OFF"}')
    expect(commandPayload(at('state', { switchValues: { on: true, off: false } }), 1)).toBe('{"state":true}')
    expect(commandPayload(command({ pieces: ['{"s":"', '"}'], switchValues: SWITCH }), 0)).toBe('{"s":"OFF"}')
  })

  test.each([0.5, 2, -1, Number.NaN, 2n])('rejects %s', (raw) => {
    expect(() => commandPayload(command({ switchValues: SWITCH }), raw)).toThrow(
      'does not fit a switch: only 0 and 1 do',
    )
  })

  test('rounds to 0 or 1, or rejects the value', () => {
    expect([0.4, -0.4, 0.5, 1.4].map((raw) => nearestRaw(command({ switchValues: SWITCH }), raw))).toEqual([0, 0, 1, 1])
    for (const raw of [1.5, -0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => nearestRaw(command({ switchValues: SWITCH }), raw)).toThrow(`${raw} does not fit a switch`)
    }
  })
})

describe('a command', () => {
  test.each<[Command, Raw, string]>([
    [command(), 21.5, '21.5'],
    [command(), -0, '0'],
    [command(), 9007199254740993n, '9007199254740993'],
    [command(), 2 ** 53 - 1, '9007199254740991'],
    [command(), 10n ** 21n, '1000000000000000000000'],
    [at('value'), 21.5, '{"value":21.5}'],
    [at('set.value'), 9007199254740993n, '{"set":{"value":9007199254740993}}'],
    [at('a b'), 1, '{"a b":1}'],
    [command({ pieces: ['SET ', ';'] }), 5, 'SET 5;'],
    [command({ pieces: ['', ' ', ''] }), 5, '5 5'],
    [command({ decimals: 1 }), 21.449, '21.4'],
    [command({ decimals: 0 }), 21.5, '22'],
    [command({ decimals: 0 }), -0.2, '0'],
    [command({ decimals: 2 }), 21.5, '21.5'],
  ])('%# sends %s as %s', (about, raw, payload) => {
    expect(commandPayload(about, raw)).toBe(payload)
  })

  test('never contains a number that is not finite', () => {
    for (const raw of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => commandPayload(at('value'), raw)).toThrow(`${raw} cannot be sent: it is not a finite number`)
      expect(() => nearestRaw(command(), raw)).toThrow(`${raw} cannot be sent`)
    }
  })

  test.each([2 ** 53, -(2 ** 53), 1e17, Number.MAX_VALUE])('rejects %d, because its digits are unknown', (raw) => {
    const message = `${raw} cannot be sent exactly: the digits of a number above 2^53 are not known`
    for (const about of [command(), at('value'), command({ decimals: 2 })]) {
      expect(() => nearestRaw(about, raw)).toThrow(expect.objectContaining({ kind: 'rejected', message }))
      expect(() => commandPayload(about, raw)).toThrow(message)
    }
  })

  test.each([undefined, 'value', 'a.b'])('at path %s reads back as sent', (path) => {
    const about = path === undefined ? command() : at(path)
    const anyRaw = fc.oneof(
      fc.double({ noNaN: true, min: 1 - 2 ** 53, max: 2 ** 53 - 1 }),
      fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
    )
    fc.assert(
      fc.property(anyRaw, (raw) => {
        const reading = read(commandPayload(about, raw), path)
        if (!('raw' in reading)) return expect.fail(reading.error)
        // biome-ignore lint/suspicious/noDoubleEquals: a number and a bigint may be equal
        expect(reading.raw == raw).toBe(true)
      }),
      { examples: [[9007199254740993n], [5e-324], [10n ** 21n]] },
    )
  })

  test('for the nearest value reads back as that value', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, min: 1 - 2 ** 53, max: 2 ** 53 - 1 }),
        fc.integer({ min: 0, max: 15 }),
        (raw, decimals) => {
          const about = command({ decimals })
          const nearest = nearestRaw(about, raw)
          expect(nearestRaw(about, Number(nearest)) === nearest).toBe(true)
          const reading = read(commandPayload(about, nearest))
          expect('raw' in reading && Number(reading.raw) === Number(nearest)).toBe(true)
          if (Math.abs(raw) < 1e6)
            expect(Math.abs(Number(nearest) - raw)).toBeLessThanOrEqual(0.5 / 10 ** decimals + 1e-9)
        },
      ),
    )
  })
})
