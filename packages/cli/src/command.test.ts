import { describe, expect, test } from 'vitest'
import { COMMON_FLAGS, parse, positionals, required, UsageError } from './command.ts'

describe('the flags of a command', () => {
  test('may come before, between and after its arguments', () => {
    const { values, positionals: given } = parse(
      ['--json', 'dev_1', '--org=org_1', 'file.yaml', '--url', 'http://x'],
      COMMON_FLAGS,
    )
    expect({ ...values }).toEqual({ json: true, org: 'org_1', url: 'http://x' })
    expect(given).toEqual(['dev_1', 'file.yaml'])
  })

  test('end at --', () => {
    expect(parse(['--', '--json'], COMMON_FLAGS).positionals).toEqual(['--json'])
  })

  test('are not confused with negative numbers, which are arguments or flag values', () => {
    const options = { ...COMMON_FLAGS, limit: { type: 'string' }, site: { type: 'string', multiple: true } } as const
    const { values, positionals: given } = parse(
      ['Charge power', '-20', '--json', '-.5', '--limit', '-5', '--site', '-1', '--site=-2', '--', '-7', '--json'],
      options,
    )
    expect(given).toEqual(['Charge power', '-20', '-.5', '-7', '--json'])
    expect(values).toEqual({ json: true, limit: '-5', site: ['-1', '-2'] })
  })

  test.each([[['--jsno']], [['--org']], [['--json=yes']], [['-x']]])(
    'cause a usage error when they are invalid: %j',
    (args) => {
      expect(() => parse(args, COMMON_FLAGS)).toThrow(UsageError)
    },
  )

  test('are named when they are invalid', () => {
    expect(() => parse(['--jsno'], COMMON_FLAGS)).toThrow('--jsno')
  })
})

describe('the arguments of a command', () => {
  test('are returned by name', () => {
    expect(positionals(['dev_1', 'file.yaml'], 'DEVICE', 'FILE')).toEqual({ DEVICE: 'dev_1', FILE: 'file.yaml' })
    expect(positionals([])).toEqual({})
  })

  test.each([
    [[], 'DEVICE is missing'],
    [['dev_1'], 'FILE is missing'],
    [['dev_1', 'file.yaml', 'more'], 'unexpected argument more'],
  ])('%j cause a usage error: %s', (given, message) => {
    expect(() => positionals(given, 'DEVICE', 'FILE')).toThrow(new UsageError(message))
  })
})

describe('a required setting', () => {
  test('is returned if it has a value', () => {
    expect(required('org_1', 'the organization')).toBe('org_1')
  })

  test.each([undefined, ''])('causes a usage error if it is %j', (value) => {
    expect(() => required(value, 'the organization (--org ID or PLANTROOM_ORG)')).toThrow(
      new UsageError('the organization (--org ID or PLANTROOM_ORG) is missing'),
    )
  })
})
