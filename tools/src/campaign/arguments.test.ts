import { describe, expect, test } from 'vitest'
import { HELP, parseCampaignArguments } from './arguments.ts'
import { CAMPAIGNS } from './campaigns.ts'

const parse = (...args: string[]) => parseCampaignArguments(args, () => 42)

describe('the arguments of plantroom campaign', () => {
  test('default to all campaigns with a new seed, from the first run', () => {
    expect(parse()).toEqual({
      help: false,
      campaigns: CAMPAIGNS,
      seed: 42,
      from: 1,
      minutes: 10,
      json: false,
      near: false,
    })
  })

  test('choose one campaign, its seed, its first run and its minutes', () => {
    const { campaigns, seed, from, minutes } = parse('kills', '--seed', '7', '--from', '12', '--minutes', '0.5')
    expect({ names: campaigns.map(({ name }) => name), seed, from, minutes }).toEqual({
      names: ['kills'],
      seed: 7,
      from: 12,
      minutes: 0.5,
    })
  })

  test('may lower the number of controllers of a fleet', () => {
    expect(parse('fleet', '--devices', '200')).toMatchObject({ devices: 200 })
    expect(() => parse('kills', '--devices', '200')).toThrow('--devices works with fleet only')
    expect(() => parse('fleet', '--devices', '0')).toThrow('--devices 0: give a whole number from 1 to 28000')
  })

  test('name the room of mutations', () => {
    expect(parse('mutation', 'packages/edge/src/writing', '--json', '--near')).toMatchObject({
      campaigns: [],
      mutation: { room: 'packages/edge/src/writing' },
      json: true,
      near: true,
    })
  })

  test('a part of a campaign runs alone, and its name repeats it', () => {
    const { campaigns } = parseCampaignArguments(['interop', 'openadr'], () => 1)
    const files = ['peers', 'foreign', 'judges'].map((name) => `e2e/openadr-${name}.test.ts`)
    expect(campaigns).toMatchObject([{ name: 'interop openadr', files }])
  })

  test.each([
    [
      ['floods'],
      `there is no campaign floods: choose one of ${CAMPAIGNS.map(({ name }) => name).join(', ')}, mutation`,
    ],
    [['kills', 'model'], 'unexpected argument model'],
    [['interop', 'nothing'], 'interop has no part nothing: choose one of requests, openadr, drivers'],
    [['interop', 'openadr', 'requests'], 'unexpected argument openadr'],
    [['--from', '3'], '--from needs the NAME'],
    [['kills', '--from', '0'], '--from 0: give a whole number from 1'],
    [['kills', '--seed', '-1'], '--seed'],
    [['kills', '--seed', '1.5'], '--seed 1.5: give a whole number'],
    [['kills', '--minutes', '0'], '--minutes 0: give a number above 0'],
    [['kills', '--minutes', 'long'], '--minutes long'],
    [['kills', '--json'], '--json works with mutation only'],
    [['kills', '--near'], '--near works with mutation only'],
    [['mutation'], 'mutation needs a ROOM'],
    [['mutation', 'packages/edge', 'packages/fpl'], 'unexpected argument packages/fpl'],
    [['--forever'], "'--forever'"],
  ])('%j are wrong usage', (args, message) => {
    let error: unknown
    try {
      parse(...args)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({
      message: expect.stringContaining(message),
      code: expect.stringMatching(/^ERR_PARSE_ARGS/),
    })
  })

  test('may ask for help, which lists every campaign', () => {
    expect(parse('--help')).toMatchObject({ help: true, campaigns: [] })
    for (const { name } of CAMPAIGNS) expect(HELP).toContain(`\n  ${name} `)
  })
})
