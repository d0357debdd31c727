import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { type OwnFolder, ownFolder } from './support/folder.ts'
import { packageIn, packageOfZeros, ticket } from './support/package.ts'
import { plantroom } from './support/run.ts'
import { inTerminal } from './support/terminal.ts'

let folder: OwnFolder
let valid: string
let invalid: string

beforeAll(async () => {
  folder = ownFolder()
  const photo = { path: 'attachments/photo.jpg' }
  const comments = [{ content: 'On my way' }, { content: '', attachments: [photo] }]
  const tickets = [ticket('A-1', { attachments: [photo], comments }), ticket('A-2')]
  valid = await packageIn(folder.path, 'site.fpl', tickets, { 'attachments/photo.jpg': 'a photo' })
  const mistakes = Array.from({ length: 25 }, (_, index) =>
    ticket(`A-${index}`, { title: '=1+1', state: 'broken, "x"' }),
  )
  invalid = await packageIn(folder.path, 'invalid.fpl', mistakes)
})
afterAll(() => folder?.[Symbol.asyncDispose]())

const check = (...args: string[]) => plantroom(['package', 'check', ...args])
const inFolder = (name: string) => join(folder.path, name)

function lines(stdout: string): object[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
}

describe('plantroom package check', () => {
  test('prints the contents of a valid package', async () => {
    expect(await check(valid)).toEqual({
      code: 0,
      stdout: `${valid}: valid, 2 requests, 2 comments, 2 attachments\n`,
      stderr: '',
    })
  })

  test('prints the message of the contract for an invalid one, the number of problems and how to see them', async () => {
    const { code, stdout, stderr } = await check(invalid)
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const [message, rest, ...more] = stdout.split('\n')
    expect(message).toContain(`${invalid}: Invalid manifest: tickets[0].state: broken, "x" must be one of: new, open, `)
    expect(message?.split('; ')).toHaveLength(20)
    expect(rest).toBe('  25 problems, the first 20 above; use --csv FILE or --json to get all')
    expect(more).toEqual([''])
  })

  test('prints one line of JSON per file, with exactly the documented fields', async () => {
    const { code, stdout, stderr } = await check(valid, invalid, '--json')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const [first, second, ...others] = lines(stdout)
    expect(others).toEqual([])
    const counts = { tickets: 2, comments: 2, attachments: 2 }
    expect(first).toEqual({ file: valid, valid: true, message: null, problems: [], ...counts })
    const { problems, ...rest } = second as { problems: object[] }
    expect(rest).toMatchObject({ file: invalid, valid: false, tickets: 25, comments: 0, attachments: 0 })
    expect(problems).toHaveLength(25)
    expect(problems[24]).toEqual({
      path: 'tickets[24].state',
      value: 'broken, "x"',
      rule: expect.stringMatching(/^must be one of: new, /),
    })
  })

  test('writes every problem to a CSV file', async () => {
    const csv = inFolder('problems.csv')
    const { code, stdout } = await check(valid, invalid, '--csv', csv)
    expect(code).toBe(1)
    expect(stdout).toContain(`\n  25 problems, all in ${csv}\n`)
    const [header, first, ...others] = readFileSync(csv, 'utf8').split('\r\n')
    expect(header).toBe('file,path,value,rule')
    expect(first).toMatch(/^\/.*invalid\.fpl,tickets\[0\]\.state,"broken, ""x""","must be one of: new, .*"$/)
    expect(others).toHaveLength(25)
    expect(readdirSync(folder.path).filter((name) => name.startsWith('problems.csv'))).toEqual(['problems.csv'])
  })

  test('checks the other files when some cannot be read, and says why', async () => {
    const [missing, sub, pipe] = ['missing.fpl', 'sub.fpl', 'pipe.fpl'].map(inFolder) as [string, string, string]
    const [empty, text] = ['empty.fpl', 'text.fpl'].map(inFolder) as [string, string]
    mkdirSync(sub)
    execFileSync('mkfifo', [pipe])
    writeFileSync(empty, '')
    writeFileSync(text, 'no archive')
    const { code, stdout, stderr } = await check(missing, sub, pipe, '/dev/zero', empty, text, valid)
    expect(code).toBe(1)
    expect(stderr.split('\n')).toEqual([
      `plantroom package: ${missing}: the file does not exist`,
      `plantroom package: ${sub}: is a folder, not a file`,
      `plantroom package: ${pipe}: is a pipe or a device, not a file`,
      'plantroom package: /dev/zero: is a pipe or a device, not a file',
      '',
    ])
    const [ofEmpty, ofText, ofValid, summary] = stdout.split('\n')
    expect(ofEmpty).toContain(`${empty}: The package is not a valid .fpl archive: `)
    expect(ofText).toContain(`${text}: The package is not a valid .fpl archive: `)
    expect(ofValid).toContain(`${valid}: valid, `)
    expect(summary).toBe('1 of 7 packages valid')
  })

  test.skipIf(process.getuid?.() === 0)('reports a file without read permission', async () => {
    const secret = await packageIn(folder.path, 'secret.fpl', [])
    chmodSync(secret, 0)
    expect((await check(secret)).stderr).toBe(`plantroom package: ${secret}: you have no permission to read the file\n`)
  })

  test('prints one line of JSON even for a file that cannot be read', async () => {
    const missing = inFolder('missing.fpl')
    const { code, stdout, stderr } = await check(missing, valid, '--json')
    expect(code).toBe(1)
    expect(lines(stderr)).toEqual([{ note: { message: `${missing}: the file does not exist` } }])
    const nothing = { problems: [], tickets: 0, comments: 0, attachments: 0 }
    expect(lines(stdout)).toEqual([
      { file: missing, valid: false, message: 'the file does not exist', ...nothing },
      expect.objectContaining({ file: valid, valid: true }),
    ])
  })

  test('checks files of any name, and says which names the service would reject', async () => {
    const renamed = inFolder('site.zip')
    renameSync(await packageIn(folder.path, 'renamed.fpl', []), renamed)
    expect(await check(renamed)).toEqual({
      code: 0,
      stdout: `${renamed}: valid, 0 requests, 0 comments, 0 attachments\n`,
      stderr: `plantroom package: ${renamed}: can be checked but not uploaded: the name must end in .fpl\n`,
    })
  })

  test.each([[['package']], [['package', 'check']], [['package', 'check', 'x.fpl', '--frobnicate']]])(
    'exits with 2 for wrong usage: %j',
    async (args) => {
      const { code, stdout, stderr } = await plantroom(args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^plantroom package: .+--help\n$/)
    },
  )

  test('does not start when the list of problems cannot be written', async () => {
    const csv = inFolder('none/problems.csv')
    const { code, stdout, stderr } = await check(valid, '--csv', csv)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^plantroom package: \S+none\/problems\.csv cannot be written: .+\n$/)
  })

  test('prints its options', async () => {
    const { code, stdout } = await plantroom(['package', '--help'])
    expect(code).toBe(0)
    for (const word of ['check FILE', '--csv', '--threads', '--json']) expect(stdout).toContain(word)
  })
})

const CLEARED = '\r\x1B[K'
const BAR = / \[[#-]+\] {1,3}\d+ %/

describe('a large package in a terminal', () => {
  test('shows a progress bar until the answer is printed', async () => {
    const zeros = packageOfZeros(folder.path, 40)
    const terminal = inTerminal(['package', 'check', zeros, '--threads', '1'])
    expect(await terminal.ended).toBe(0)
    const drawn = terminal.screen().split(CLEARED)
    expect(drawn.at(-1)).toBe(`${zeros}: valid, 1 request, 0 comments, 40 attachments\r\n`)
    const bars = drawn.slice(1, -1)
    expect(bars.length).toBeGreaterThan(1)
    for (const bar of bars) {
      expect(bar).toMatch(BAR)
      // A busy machine takes long enough for the manifest to show that, too.
      expect(bar).toMatch(/^zeros\.fpl: (reading the manifest|checking the attachments) /)
      expect(bar.length).toBeLessThan(80 - '^C'.length)
    }
    expect(bars.at(-1)).toMatch(/^zeros\.fpl: checking the attachments /)
  })

  test('stops immediately on Ctrl-C and restores the terminal', async () => {
    const zeros = packageOfZeros(folder.path, 99)
    const csv = inFolder('interrupted.csv')
    const terminal = inTerminal(['package', 'check', zeros, '--csv', csv])
    await eventually(() => expect(terminal.screen()).toMatch(BAR))
    terminal.type('\x03')
    expect(await terminal.ended).toBe(128 + 2)
    expect(terminal.screen().endsWith(CLEARED)).toBe(true)
    expect(terminal.screen()).not.toContain('valid')
    expect(readdirSync(folder.path).filter((name) => name.startsWith('interrupted'))).toEqual([])
  })
})
