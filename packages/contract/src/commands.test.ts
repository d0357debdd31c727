import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { COMMANDS, commandBody, DEFAULT_LIMIT, MAX_LIMIT, PUBLIC_COMMANDS, type PublicCommand } from './commands.ts'
import { parseTimestamp } from './timestamp.ts'

const ajv = new Ajv({
  useDefaults: true,
  allErrors: true,
  formats: { timestamp: (text) => parseTimestamp(text) !== undefined },
})
const checks = new Map(PUBLIC_COMMANDS.map((name) => [name, ajv.compile(commandBody(COMMANDS[name].request))]))

const WINDOW = { datapointId: 'dp_1', value: 21.5, from: '2026-03-01T12:00:00Z', to: '2026-03-01T13:00:00+00:00' }
const GOOD: Record<PublicCommand, Record<string, unknown>> = {
  getTechnicalDataPoints: { connectionId: 'conn_1', limit: 10, offset: 20 },
  getTechnicalConnectionValues: { id: 'conn_1' },
  demandResponseOverride: WINDOW,
  demandResponseCancel: { id: 'ovr_1' },
}

/** The fields that are wrong, as paths from the body. */
function mistakes(command: PublicCommand, body: unknown): string[] {
  const check = checks.get(command)
  if (!check) throw new Error(command)
  if (check(body)) return []
  return (check.errors ?? []).map(({ instancePath, params }) => `${instancePath}/${params.missingProperty ?? ''}`)
}

describe.each(PUBLIC_COMMANDS)('the body of %s', (command) => {
  const data = GOOD[command]

  test('is accepted with and without a reqId', () => {
    expect(mistakes(command, { data, reqId: '7D9F3C1E-8a55-4b0e-9a43-0d8d2cf0a111' })).toEqual([])
    expect(mistakes(command, { data })).toEqual([])
  })

  test('may have fields that the contract does not declare', () => {
    expect(mistakes(command, { data: { ...data, priority: 1 }, market: 'aFRR' })).toEqual([])
  })

  test.each(['', '1', 'not-a-uuid', 17, null, '{7d9f3c1e-8a55-4b0e-9a43-0d8d2cf0a111}'])(
    'rejects the reqId %j',
    (reqId) => {
      expect(mistakes(command, { data, reqId })).toContain('/reqId/')
    },
  )

  test.each([undefined, null, [], 'conn_1'])('rejects the data %j', (wrong) => {
    expect(mistakes(command, { data: wrong })).not.toEqual([])
  })

  test('names every required field that is missing', () => {
    const required = Object.keys(data).filter((name) => name !== 'limit' && name !== 'offset')
    expect(mistakes(command, { data: {} })).toEqual(required.map((name) => `/data/${name}`))
  })
})

describe('the data of a command', () => {
  test('defaults to the first page', () => {
    const body = { data: { connectionId: 'conn_1' } }
    expect(mistakes('getTechnicalDataPoints', body)).toEqual([])
    expect(body.data).toEqual({ connectionId: 'conn_1', limit: DEFAULT_LIMIT, offset: 0 })
  })

  test.each([0, -1, MAX_LIMIT + 1, 1.5, '10', null])('rejects the limit %j', (limit) => {
    expect(mistakes('getTechnicalDataPoints', { data: { connectionId: 'c', limit } })).toEqual(['/data/limit/'])
  })

  test.each([-1, 0.5, '0', 1e300])('rejects the offset %j', (offset) => {
    expect(mistakes('getTechnicalDataPoints', { data: { connectionId: 'c', offset } })).toEqual(['/data/offset/'])
  })

  test.each(['21.5', null, true, [21.5], Number.NaN, Number.POSITIVE_INFINITY])('rejects the value %s', (value) => {
    expect(mistakes('demandResponseOverride', { data: { ...WINDOW, value } })).toEqual(['/data/value/'])
  })

  test.each(['2026-03-01', '2026-03-01T12:00:00', '2026-02-30T12:00:00Z', 1_772_366_400_000])(
    'rejects the time %j',
    (from) => {
      expect(mistakes('demandResponseOverride', { data: { ...WINDOW, from } })).toEqual(['/data/from/'])
    },
  )

  test('may give a reason of up to 200 characters', () => {
    expect(mistakes('demandResponseOverride', { data: { ...WINDOW, reason: 'x'.repeat(200) } })).toEqual([])
    for (const reason of ['x'.repeat(201), 7, null]) {
      expect(mistakes('demandResponseOverride', { data: { ...WINDOW, reason } })).toEqual(['/data/reason/'])
    }
  })

  test.each([0, -1e9, 1e308])('accepts any finite value, for example %d: the device judges its meaning', (value) => {
    expect(mistakes('demandResponseOverride', { data: { ...WINDOW, value } })).toEqual([])
  })
})
