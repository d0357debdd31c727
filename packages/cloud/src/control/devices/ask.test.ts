import { COMMAND_NAMES, COMMANDS } from '@plantroom/contract/commands'
import { PlacedOverride } from '@plantroom/contract/control-state'
import type { Failure } from '@plantroom/contract/failure'
import { type Schema, text } from '@plantroom/contract/schema'
import { describe, expect, test } from 'vitest'
import { createAsk, readReply, UnreadableReply } from './ask.ts'

/** A value that fits a schema, with every optional field. */
function sampleOf({
  type,
  enum: values,
  items,
  minItems = 1,
  properties,
  additionalProperties,
  format,
}: Schema): unknown {
  if (values) return values[0]
  switch ([type].flat()[0]) {
    case 'object':
      if (properties)
        return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, sampleOf(field)]))
      return typeof additionalProperties === 'object' ? { a: sampleOf(additionalProperties) } : {}
    case 'array':
      return Array.from({ length: Number(minItems) }, () => sampleOf(items ?? text()))
    case 'boolean':
      return true
    case 'string':
      return format === undefined ? '7' : '2030-01-01T00:00:00.000Z'
    default:
      return 7
  }
}

/** Every value that comes from `sample` by breaking one field: it is missing, or of another type. */
function* broken(schema: Schema, sample: unknown, path = ''): Generator<[path: string, value: unknown]> {
  yield [`${path} is of another type`, typeof sample === 'object' ? 'text' : { other: 'type' }]
  if (Array.isArray(sample)) {
    if (schema.items)
      for (const [at, item] of broken(schema.items, sample[0], `${path}[0]`)) yield [at, sample.with(0, item)]
  } else if (typeof sample === 'object' && sample !== null) {
    const fields = sample as Record<string, unknown>
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const { [name]: _, ...rest } = fields
      if (schema.required?.includes(name)) yield [`${path}.${name} is missing`, rest]
      for (const [at, value] of broken(field, fields[name], `${path}.${name}`)) yield [at, { ...fields, [name]: value }]
    }
  }
}

const REPLIES = COMMAND_NAMES.map((name) => ({
  name,
  schema: COMMANDS[name].reply,
  sample: sampleOf(COMMANDS[name].reply),
}))
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))
/** Read with a default, or left out alone, because controllers of other versions send them differently. */
const TOLERATED =
  /^\.(clockSuspect is missing|connections\[0\]\.(error is missing|values)|holds\[0\]\.(state|beneath|overrideId|until|trouble|troubleReason) ?(is missing|$)|holds\[0\]\.state|notes|memory is)/

describe.each(REPLIES)('a reply to $name', ({ name, schema, sample }) => {
  test('has the declared fields and no others', () => {
    expect(readReply(name, bytes({ ...(sample as object), more: { deep: [1] } }))).toEqual(sample)
  })

  test.each(['', '{', 'null', '[]', '"text"', '7', '\u0000', `${'['.repeat(100_000)}`, '{"a\\u0000":1}'])(
    'that is not one is refused: %.20j',
    (text) => {
      expect(() => readReply(name, Buffer.from(text))).toThrow(UnreadableReply)
    },
  )

  test('with one broken field is refused as a whole, with its name', () => {
    for (const [path, value] of broken(schema, sample)) {
      if (path.startsWith('.') === false || TOLERATED.test(path)) continue
      expect(() => readReply(name, bytes(value)), path).toThrow(UnreadableReply)
    }
  })
})

test('a reply that cannot be read is answered as 502, and says what to do', async () => {
  const ask = createAsk(async () => Buffer.from('{"id":7}'))
  const asked = ask('dev_1', 'demandResponseOverride', { datapointId: 'd', value: 1, from: '', to: '' })
  await expect(asked).rejects.toThrow(
    'the device answered demandResponseOverride with a reply that this service cannot read (id must be of type string); update its software',
  )
  await expect(asked).rejects.toMatchObject({ kind: 'offline' satisfies Failure['kind'] })
})

test('a state has other characters in place of those that no column can store; another reply with one is refused', () => {
  const state = { at: '2030-01-01T00:00:00Z', clockSuspect: false, connections: [], holds: [] }
  const override = sampleOf(PlacedOverride)
  const named = { ...state, overrides: [{ ...(override as object), placedBy: 'a\0\ud800' }] }
  expect(readReply('getControlState', bytes(named)).overrides[0]?.placedBy).toBe('a\uFFFD\uFFFD')
  expect(() => readReply('demandResponseOverride', bytes({ id: 'a\0' }))).toThrow(/id must not contain/)
})
