import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CommissioningFile } from './commissioning/index.ts'
import { describeSchemaError } from './describe-error.ts'
import { schemaProblems } from './schema-problems.ts'

const validate = new Ajv({ allErrors: true }).compile(CommissioningFile)

/** What Ajv finds. Beside the allowed values it also names their type, which says less. */
function byAjv(document: unknown): string[] {
  validate(document)
  const errors = validate.errors ?? []
  const isSaid = (at: string) => errors.some(({ keyword, instancePath }) => keyword === 'enum' && instancePath === at)
  return errors
    .filter(({ keyword, instancePath }) => keyword !== 'type' || !isSaid(instancePath))
    .map((error) => describeSchemaError(error))
    .map(({ path, rule }) => `${path} ${rule}`)
}
const ours = (document: unknown) =>
  schemaProblems(CommissioningFile, document, 10_000).map(({ path, rule }) => `${path} ${rule}`)

const VALID = {
  technicalSystem: 'Room',
  connections: [
    {
      name: 'Inverter',
      protocol: 'mqtt',
      settings: { any: ['thing'] },
      datapoints: [
        {
          name: 'Power',
          accessType: 'READ_WRITE',
          unit: 'kW',
          tags: ['a', 'b'],
          writeInputData: { min: 0, max: 1 },
          limits: { maxStartsPerDay: 3 },
          data: {},
        },
      ],
    },
  ],
  peakShaving: { meter: 'Grid', limitKw: 1, loads: [{ datapoint: 'Power', priority: 1, shedValue: 0 }] },
  schedules: [{ name: 'Day', datapoint: 'Power', slots: [{ days: ['mon'], from: '07:00', to: '18:00', value: 1 }] }],
}

/** Places where a document can go wrong, and what can stand there instead. */
const PATHS = [
  ['technicalSystem'],
  ['connections'],
  ['connections', 0],
  ['connections', 0, 'name'],
  ['connections', 0, 'protocol'],
  ['connections', 0, 'settings'],
  ['connections', 0, 'datapoints', 0, 'accessType'],
  ['connections', 0, 'datapoints', 0, 'unit'],
  ['connections', 0, 'datapoints', 0, 'tags'],
  ['connections', 0, 'datapoints', 0, 'tags', 1],
  ['connections', 0, 'datapoints', 0, 'writeInputData', 'min'],
  ['connections', 0, 'datapoints', 0, 'limits', 'maxStartsPerDay'],
  ['connections', 0, 'datapoints', 0, 'colour/of~it'],
  ['peakShaving', 'limitKw'],
  ['peakShaving', 'hourlyLimitsKw'],
  ['peakShaving', 'cycleSeconds'],
  ['schedules', 0, 'slots', 0, 'days'],
  ['schedules', 0, 'slots', 0, 'days', 0],
  ['schedules', 0, 'slots', 0, 'mode'],
  ['schedules', 0, 'slots', 0, 'value'],
] as const
const VALUES = [null, '', ' ', 'x', 'x'.repeat(300), '😀'.repeat(200), 0, -1, 1.5, 1e9, true, [], {}, ['a', 'a'], [1]]

function withValue(document: unknown, [first, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (first === undefined) return value
  if (typeof document !== 'object' || document === null) return document
  const copy: Record<string | number, unknown> | unknown[] = Array.isArray(document) ? [...document] : { ...document }
  const inner = (copy as Record<string | number, unknown>)[first]
  if (rest.length > 0 && inner === undefined) return document
  ;(copy as Record<string | number, unknown>)[first] = withValue(inner, rest, value)
  return copy
}

describe('the problems of a document', () => {
  test('are those that Ajv finds, in its words', () => {
    const mistake = fc.tuple(fc.constantFrom(...PATHS), fc.constantFrom(...VALUES))
    fc.assert(
      fc.property(fc.array(mistake, { maxLength: 6 }), (mistakes) => {
        const document = mistakes.reduce<unknown>((made, [path, value]) => withValue(made, path, value), VALID)
        expect(ours(document).toSorted()).toEqual(byAjv(document).toSorted())
      }),
      { numRuns: 400 },
    )
  })

  test('are at most as many as asked for, whatever the document', () => {
    const document = { technicalSystem: 'x', connections: Array.from({ length: 900 }, () => 0) }
    expect(schemaProblems(CommissioningFile, document, 5)).toHaveLength(5)
  })

  test('do not include fields that JSON leaves out', () => {
    expect(ours({ ...VALID, peakShaving: undefined })).toEqual([])
    expect(ours({ ...VALID, technicalSystem: undefined })).toEqual(['technicalSystem is missing'])
  })
})
