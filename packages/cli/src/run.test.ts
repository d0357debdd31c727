import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sendJson, startServer } from '@plantroom/client/testing/server'
import { VERSION } from '@plantroom/contract/version'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { verbHelp } from './help.ts'
import { PROGRAMS } from './reference/programs.ts'
import { COMMANDS, REFERENCE } from './registry.ts'
import { type PrintedError, run } from './run.ts'

const ROOT = join(import.meta.dirname, '../../..')

let out: string[]
let err: string[]
beforeEach(() => {
  out = []
  err = []
  vi.spyOn(console, 'log').mockImplementation((line) => void out.push(String(line)))
  vi.spyOn(console, 'error').mockImplementation((line) => void err.push(String(line)))
  const folder = temporaryFolder()
  vi.stubEnv('PLANTROOM_DATA', folder)
  vi.stubEnv('XDG_CONFIG_HOME', folder)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const printedError = () => {
  expect(err).toHaveLength(1)
  return (JSON.parse(err[0] ?? '') as PrintedError).error
}

/** Every verb that this program runs, as words. */
const VERBS = Object.entries(REFERENCE)
  .filter(([name]) => Object.hasOwn(COMMANDS, name))
  .flatMap(([name, { verbs }]) =>
    Object.entries(verbs).map(([verb, declared]) => [`${name} ${verb}`.trimEnd(), declared] as const),
  )
/** They print a script and a page, not a result. */
const WITHOUT_JSON = ['completion', 'man']

describe('every command', () => {
  test('is declared, or has a row among the programs', () => {
    for (const name of Object.keys(COMMANDS)) expect([name, Object.hasOwn(REFERENCE, name)]).toEqual([name, true])
  })

  test('that the launchers know has a row', () => {
    const launchers = ['plantroom', 'packages/cli/launch.sh'].map((path) => readFileSync(join(ROOT, path), 'utf8'))
    const words = launchers.flatMap((text) =>
      [...text.matchAll(/^ {2}([a-z| ]+)\) (?:tool|program)=/gm)].flatMap(([, names = '']) => names.split(' | ')),
    )
    expect(words).toEqual(expect.arrayContaining(['edge', 'cloud', 'release', 'bench']))
    const known = [...Object.keys(PROGRAMS), ...Object.keys(COMMANDS)]
    expect(words.filter((word) => !known.includes(word))).toEqual([])
  })

  test.each(VERBS)('%s declares --json with the shape of its result', (name, { options, json }) => {
    const expected = !WITHOUT_JSON.includes(name)
    expect([options.json !== undefined, json !== undefined]).toEqual([expected, expected])
  })

  test.each(VERBS)('%s reports wrong usage as JSON on request, and otherwise as one line', async (name) => {
    const words = [...name.split(' '), '--no-such-option']
    expect(await run([...words, '--json'])).toBe(2)
    expect(printedError()).toEqual({
      message: expect.stringContaining('--no-such-option'),
      code: 'USAGE',
      status: null,
      service: null,
    })
    err.length = 0
    expect(await run(words)).toBe(2)
    expect(err).toEqual([expect.stringMatching(/^plantroom [a-z-]+: .*--no-such-option.*--help$/s)])
    expect(out).toEqual([])
  })

  test.each(VERBS)('%s has help', async (name, { about, options }) => {
    expect(about).not.toBe('')
    expect(await run([...name.split(' '), '--help'])).toBe(0)
    expect(out.join('\n')).toContain(`plantroom ${name}`)
    for (const option of Object.keys(options)) expect(out.join('\n')).toContain(`--${option}`)
  })

  test.each([40, 60, 100])('has help that fits into %d columns', (width) => {
    const lines = VERBS.flatMap(([name, declared]) => verbHelp(name, declared, width).split('\n'))
    const long = lines.filter((line) => line.length > width && !line.includes('$ '))
    // A word cannot be broken.
    expect(long.filter((line) => line.trim().includes(' '))).toEqual([])
  })
})

describe('a failure', () => {
  const key = { PLANTROOM_API_KEY: 'plr_x', PLANTROOM_ORG: 'org_1', PLANTROOM_DEVICE: 'dev_1' }
  const settings = (url: string) => {
    for (const [name, value] of Object.entries({ ...key, PLANTROOM_URL: url })) vi.stubEnv(name, value)
  }

  test('of the service says its code, status and which service it was', async () => {
    const { url } = await startServer((_, response) =>
      sendJson(response, 403, { message: 'not\u001b[2J yours', code: 'FORBIDDEN' }),
    )
    settings(url)
    expect(await run(['dr', 'values', '--json'])).toBe(1)
    expect(printedError()).toEqual({ message: 'not\u001b[2J yours', code: 'FORBIDDEN', status: 403, service: url })
    err.length = 0
    await run(['dr', 'values'])
    expect(err).toEqual([`plantroom dr: not\\u001b[2J yours (403 FORBIDDEN from ${url})`])
  })

  test('to reach the service has its own code', async () => {
    settings('http://127.0.0.1:9')
    expect(await run(['dr', 'values', '--json'])).toBe(1)
    expect(printedError()).toMatchObject({ code: 'UNREACHABLE', status: null, service: 'http://127.0.0.1:9' })
  })

  test('of an unknown command shows similar ones', async () => {
    expect(await run(['reprots'])).toBe(2)
    expect(err).toEqual(['plantroom: unknown command reprots (did you mean reports?); see plantroom --help'])
    err.length = 0
    expect(await run(['__proto__', '--json'])).toBe(2)
    expect(printedError().code).toBe('USAGE')
  })

  test('does not take a text after -- for --json or --help', async () => {
    expect(await run(['org', 'add', '--', '--json', '--help'])).toBe(2)
    expect(err).toEqual([expect.stringContaining('unexpected argument --help')])
  })
})

describe('help', () => {
  test('lists every command, and is wrong usage without a command', async () => {
    expect(await run(['--help'])).toBe(0)
    for (const name of Object.keys(REFERENCE)) expect(out.join()).toMatch(new RegExp(`\\b${name}\\b`))
    expect(await run([])).toBe(2)
  })

  test('of a command has the common options once', async () => {
    expect(await run(['help', 'key'])).toBe(0)
    expect(out.join().split('--profile NAME')).toHaveLength(2)
    out.length = 0
    expect(await run(['help', 'key', 'revoke'])).toBe(0)
    expect(out.join()).toMatch(/^plantroom key revoke KEY\n.*--cancel-overrides.*--profile NAME/s)
  })
})

test.each([[['--version']], [['-V']], [['version']]])('%j prints the version', async (args) => {
  expect(await run(args)).toBe(0)
  expect(out).toEqual([`plantroom ${VERSION}`])
  expect(await run([...args, '--json'])).toBe(0)
  expect(JSON.parse(out[1] ?? '')).toEqual({ version: VERSION })
})
