import type { OpenadrMapping } from '@plantroom/contract/openadr'
import { PROFILES } from '@plantroom/openadr/profiles'
import { describe, expect, test } from 'vitest'
import {
  draftOf,
  draftProblems,
  type MappingDraft,
  mappingOf,
  mappingProblems,
  newResource,
  newRule,
} from './mapping-draft.ts'

const ALLIANCE = PROFILES['alliance-3.1']

const MAPPING: OpenadrMapping = {
  resources: [
    {
      resourceName: 'battery',
      targets: ['north'],
      powerDatapointId: 'meter',
      rules: [
        { payload: 'DISPATCH_SETPOINT', datapointId: 'charge', outsideEnvelope: 'clamp', factor: -1, fallback: 0 },
        { payload: 'SIMPLE', datapointId: 'charge', table: { 0: 'release', 1: 15, 2: 10 } },
      ],
    },
    {
      resourceName: 'connection-point',
      rules: [
        {
          payload: 'IMPORT_CAPACITY_LIMIT',
          limit: { siteId: 'school', direction: 'import', averagingSeconds: 900 },
          fallback: 40,
        },
      ],
    },
  ],
  onSilence: 'fallback',
  silenceSeconds: 1800,
}

/** The draft with a changed first rule of its first resource. */
function withRule(change: Partial<MappingDraft['resources'][number]['rules'][number]>): MappingDraft {
  const draft = draftOf(MAPPING)
  const [resource] = draft.resources
  const [rule] = resource?.rules ?? []
  if (!resource || !rule) throw new Error('the mapping has a rule')
  return { ...draft, resources: draft.resources.with(0, { ...resource, rules: [{ ...rule, ...change }] }) }
}

const problemsOf = (draft: MappingDraft) => Object.fromEntries(draftProblems(draft, ALLIANCE))

describe('a draft of a mapping', () => {
  test('that nobody edited gives the same mapping', () => {
    expect(mappingOf(draftOf(MAPPING))).toEqual(MAPPING)
    expect(mappingOf(draftOf({ resources: [], silenceSeconds: 3600 }))).toEqual({
      resources: [],
      silenceSeconds: 3600,
    })
    expect(problemsOf(draftOf(MAPPING))).toEqual({})
  })

  test('names its mistakes by the path of the field, by the rules of the service', () => {
    expect(problemsOf(withRule({ payload: 'PRICE' }))).toEqual({
      'resources[0].rules[0].payload': 'is shown only: it is a price',
    })
    expect(
      Object.keys(problemsOf(withRule({ payload: 'IMPORT_CAPACITY_LIMIT', kind: 'limit', siteId: '' }))),
    ).toContain('resources[0].rules[0].limit.siteId')
    expect(problemsOf({ ...draftOf(MAPPING), silenceSeconds: 5 })).toEqual({ silenceSeconds: 'must be at least 60' })
  })

  test('names an unfinished number without hiding what the profile says about others', () => {
    expect(problemsOf(withRule({ payload: 'TEMPERATURE', factor: '-' }))).toEqual({
      'resources[0].rules[0].factor': 'must be a finite number',
      'resources[0].rules[0].payload': expect.stringContaining('is not in the profile'),
    })
  })

  test('names a datapoint that is not chosen yet, and levels without a name or twice', () => {
    const level = { key: '', does: 'value', value: 1 } as const
    const levels = [
      { ...level, level: '1' },
      { ...level, level: '1' },
      { ...level, level: ' ' },
    ]
    const found = problemsOf(withRule({ datapointId: '', levels }))
    expect(found).toMatchObject({
      'resources[0].rules[0].datapointId': 'is missing',
      'resources[0].rules[0].levels[1]': 'is in the table already',
      'resources[0].rules[0].levels[2]': 'is missing',
    })
  })

  test('needs a name and a rule for each resource', () => {
    expect(Object.keys(problemsOf({ ...draftOf(MAPPING), resources: [newResource()] }))).toEqual([
      'resources[0].resourceName',
      'resources[0].rules',
    ])
  })
})

describe('a new rule', () => {
  test('begins as what its payload means', () => {
    expect(newRule('SIMPLE', ALLIANCE.payloads.SIMPLE).levels.map(({ level, does }) => [level, does])).toEqual([
      ['0', 'release'],
      ['1', 'value'],
      ['2', 'value'],
      ['3', 'value'],
    ])
    expect(newRule('EXPORT_CAPACITY_LIMIT', ALLIANCE.payloads.EXPORT_CAPACITY_LIMIT)).toMatchObject({
      kind: 'limit',
      direction: 'export',
    })
    expect(newRule('DISPATCH_SETPOINT', ALLIANCE.payloads.DISPATCH_SETPOINT)).toMatchObject({ kind: 'datapoint' })
  })
})

test('a document that is no mapping has its mistakes named', () => {
  expect(mappingProblems({ resources: [{}], silence: 1 }, ALLIANCE).map(({ path }) => path)).toEqual(
    expect.arrayContaining(['resources[0].resourceName', 'resources[0].rules', 'silence']),
  )
  expect(mappingProblems(null, ALLIANCE)).toHaveLength(1)
})
