import { describe, expect, test } from 'vitest'
import { PROFILES, readProfile } from '../profiles/profiles.ts'
import { RESOURCES } from '../testing/events.ts'
import { readMapping } from './mapping.ts'

const PROFILE = PROFILES['alliance-3.1']
const limit = { siteId: 's', direction: 'import', averagingSeconds: 900 }
const problems = (rules: unknown[]) => {
  const read = readMapping({ resources: [{ resourceName: 'r', rules }] }, PROFILE)
  return 'problems' in read ? read.problems.map(({ path, rule }) => `${path} ${rule}`) : []
}

describe('a mapping', () => {
  test('is read with its defaults', () => {
    expect(readMapping({ resources: RESOURCES }, PROFILE)).toMatchObject({ mapping: { silenceSeconds: 3600 } })
  })

  test.each<[string, unknown[], string]>([
    [
      'a payload that the profile does not know',
      [{ payload: 'X', datapointId: 'd' }],
      'resources[0].rules[0].payload is not in the profile alliance-3.1',
    ],
    ['a payload that is shown only', [{ payload: 'PRICE', datapointId: 'd' }], 'is shown only: it is a price'],
    ['a fallback', [{ payload: 'IMPORT_CAPACITY_SUBSCRIPTION', limit }], 'map IMPORT_CAPACITY_LIMIT instead'],
    ['no target', [{ payload: 'DISPATCH_SETPOINT' }], 'either datapointId or limit'],
    ['two targets', [{ payload: 'IMPORT_CAPACITY_LIMIT', datapointId: 'd', limit }], 'either datapointId or limit'],
    ['a limit of a setpoint', [{ payload: 'DISPATCH_SETPOINT', limit }], 'needs a payload that limits power'],
    ['the wrong direction', [{ payload: 'EXPORT_CAPACITY_LIMIT', limit }], 'limit.direction must be export'],
    ['a level without a table', [{ payload: 'SIMPLE', datapointId: 'd' }], 'table is missing'],
    [
      'a table with a text',
      [{ payload: 'SIMPLE', datapointId: 'd', table: { 0: 'off' } }],
      'table.0 must be a number or release',
    ],
    ['a table for a limit', [{ payload: 'IMPORT_CAPACITY_LIMIT', limit, table: { 0: 1 } }], 'table is for datapoints'],
    [
      'a negative fallback of a limit',
      [{ payload: 'IMPORT_CAPACITY_LIMIT', limit, fallback: -1 }],
      'fallback must be at least 0',
    ],
    [
      'a rule twice',
      [
        { payload: 'DISPATCH_SETPOINT', datapointId: 'd' },
        { payload: 'DISPATCH_SETPOINT', datapointId: 'd' },
      ],
      'rules[1] repeats a rule above',
    ],
    ['a misspelt field', [{ payload: 'DISPATCH_SETPOINT', datapoint: 'd' }], 'datapoint is not a known field'],
  ])('with %s is refused by its path', (_name, rules, message) => {
    expect(problems(rules).join('\n')).toContain(message)
  })

  test('with two resources of one name is refused', () => {
    const read = readMapping({ resources: [RESOURCES[0], RESOURCES[0]] }, PROFILE)
    expect(read).toMatchObject({ problems: [{ path: 'resources[1].resourceName' }] })
  })
})

describe('a profile', () => {
  test.each(Object.entries(PROFILES))('that ships is one: %s', (name, profile) => {
    expect(readProfile(JSON.parse(JSON.stringify(profile)))).toEqual({ profile })
    expect(profile.name).toBe(name)
  })

  test.each([
    ['a limit without a direction', { A: { meaning: 'limit' } }, 'payloads.A.direction'],
    ['a flexibility without a baseline', { A: { meaning: 'flexibility', direction: 'import' } }, 'payloads.A.below'],
    ['a fallback for nothing', { A: { meaning: 'setpoint', fallbackFor: 'B' } }, 'payloads.A.fallbackFor'],
    ['an unknown meaning', { A: { meaning: 'magic' } }, 'payloads.A.meaning'],
  ])('with %s is refused', (_name, payloads, path) => {
    expect(readProfile({ ...PROFILE, payloads })).toMatchObject({ problems: [{ path }] })
  })
})
