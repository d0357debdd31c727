import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test, vi } from 'vitest'
import { ReportedFailure } from '../../command.ts'
import { packages } from './package.ts'

function folderWith(files: Readonly<Record<string, string>>): (name: string) => string {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return (name) => join(folder, name)
}

/** Runs the command and returns what it prints on both streams. */
async function run(...args: readonly string[]) {
  const out = vi.spyOn(console, 'log').mockImplementation(() => {})
  const err = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    const failure = await packages.run(args).then(
      () => undefined,
      (error: unknown) => error,
    )
    const printed = (spy: typeof out) => spy.mock.calls.map(([line]) => line).join('\n')
    return { failure, out: printed(out), err: printed(err) }
  } finally {
    out.mockRestore()
    err.mockRestore()
  }
}

const TABLE = 'ID,Title,Status,Created,Colour\n1,Cold,Open,03.04.2026 10:00,red\n2,Hot,Done,04.04.2026 10:00,\n'

describe('plantroom package from', () => {
  test('writes a package and says what became of everything', async () => {
    const at = folderWith({ 'a.csv': TABLE })
    const { failure, out, err } = await run('from', 'csv', at('a.csv'), '-o', at('a.fpl'), '--unplaced', at('u.csv'))
    expect(failure).toBeUndefined()
    expect(out).toBe(
      [
        `${at('a.fpl')}: 2 requests, 0 comments, 0 attachments`,
        '  Colour: 1 value became part of the description',
        `  every such value is in ${at('u.csv')}`,
      ].join('\n'),
    )
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
    expect(err).toContain(`note: Dates name no time zone and are read as ${zone}, the time zone of this computer.`)
    expect(readFileSync(at('u.csv'), 'utf8')).toBe(
      'place,column,value,became\r\nrow 2,Colour,red,part of the description\r\n',
    )
    const check = await run('check', at('a.fpl'))
    expect(check.out).toContain('valid, 2 requests')
  })

  test('prints one line with --json', async () => {
    const at = folderWith({ 'a.csv': TABLE })
    const { out } = await run('from', 'csv', at('a.csv'), '-o', at('a.fpl'), '--json', '--time-zone', 'Europe/Tallinn')
    expect(JSON.parse(out)).toEqual({
      file: at('a.fpl'),
      tickets: 2,
      comments: 0,
      attachments: 0,
      unplaced: [{ column: 'Colour', values: 1, became: 'part of the description' }],
    })
  })

  test('writes a mapping to check first, and then uses it', async () => {
    const at = folderWith({ 'a.csv': TABLE })
    const args = ['from', 'csv', at('a.csv'), '-o', at('a.fpl'), '--map', at('a.yaml')]
    const first = await run(...args)
    expect(first.out).toContain('mapping of 2 records written; check it, then run the same command again')
    expect(existsSync(at('a.fpl'))).toBe(false)
    expect(readFileSync(at('a.yaml'), 'utf8')).toContain('# Of dates that name none: the time zone of this computer.')
    writeFileSync(at('a.yaml'), readFileSync(at('a.yaml'), 'utf8').replace('"Colour": description+', '"Colour": omit'))
    const second = await run(...args)
    expect(second.out).toContain('Colour: 1 value was left out')
    const { failure } = await run(...args, '--preset', 'fiix')
    expect(String(failure)).toContain('--preset is for a new mapping')
  })

  test('takes the time zone of the option, and refuses one that does not exist before it reads anything', async () => {
    const at = folderWith({ 'a.csv': TABLE })
    const args = ['from', 'csv', at('a.csv'), '-o', at('a.fpl'), '--map', at('a.yaml'), '--time-zone']
    for (const wrong of ['Europe/Tallin', '+03:00', '']) {
      expect(String((await run(...args, wrong)).failure)).toContain(`--time-zone ${wrong} is not a time zone`)
    }
    expect(readdirSync(at('.'))).toEqual(['a.csv'])
    await run(...args, 'Asia/Tokyo')
    expect(readFileSync(at('a.yaml'), 'utf8')).toContain(
      '# Of dates that name none: the time zone that was given.\ntimeZone: "Asia/Tokyo"',
    )
  })

  test('lists 20 problems, all of them in a file, and writes no package', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `${index},x\n`).join('')
    const at = folderWith({ 'a.csv': `ID,Title,Status\n${rows}` })
    const { failure, err } = await run('from', 'csv', at('a.csv'), '-o', at('a.fpl'), '--problems', at('p.csv'))
    expect(failure).toBeInstanceOf(ReportedFailure)
    expect(err.split('\n')).toHaveLength(22)
    expect(err).toContain(`30 problems, the first 20 above; all in ${at('p.csv')}; no package was written`)
    expect(readFileSync(at('p.csv'), 'utf8').split('\r\n')).toHaveLength(32)
    expect(readdirSync(at('.')).sort()).toEqual(['a.csv', 'p.csv'])
  })

  test('keeps an older package if the source has problems', async () => {
    const at = folderWith({ 'a.csv': 'ID,Title\n1\n', 'a.fpl': 'precious' })
    await run('from', 'csv', at('a.csv'), '-o', at('a.fpl'))
    expect(readFileSync(at('a.fpl'), 'utf8')).toBe('precious')
  })
})

describe('plantroom package new and add', () => {
  test('build a package request by request', async () => {
    const at = folderWith({ 'photo.jpg': 'photo' })
    expect((await run('new', at('a.fpl'))).out).toContain('written, without requests')
    expect(String((await run('new', at('a.fpl'))).failure)).toContain('exists; use another name')
    const added = await run(
      ...['add', at('a.fpl'), '--external-id', 'X-1', '--title', 'Cold', '--tag', 'a', '--tag', 'b', '--priority', '2'],
      ...['--reporter-name', 'Mari', '--safety-hazard', '--comment', 'Hello', '--attach', at('photo.jpg')],
    )
    expect(added.out).toBe(`${at('a.fpl')}: 1 request added (X-1), 1 in all`)
    writeFileSync(
      at('more.jsonl'),
      `{"externalId":"X-2","title":"Hot"}\n{"title":"Warm","comments":[{"content":"","attachments":[{"file":${JSON.stringify(at('photo.jpg'))}}]}]}\n`,
    )
    const more = await run('add', at('a.fpl'), '--json', at('more.jsonl'))
    expect(JSON.parse(more.out)).toMatchObject({ tickets: 3, comments: 2, attachments: 2 })
    expect((await run('check', at('a.fpl'))).out).toContain('valid, 3 requests, 2 comments, 2 attachments')
  })

  test('refuse what a check would, and change nothing', async () => {
    const at = folderWith({})
    await run('new', at('a.fpl'))
    const { failure, err } = await run('add', at('a.fpl'), '--title', 'x', '--state', 'done', '--assignee', 'Jaan')
    expect(failure).toBeInstanceOf(ReportedFailure)
    expect(err).toContain('tickets[0].state: done must be one of')
    expect(err).toContain('tickets[0].assignee: Jaan is not a valid email')
    expect(String((await run('add', at('a.fpl'), '--title', 'x', '--attach', at('gone'))).failure)).toContain(
      'does not exist',
    )
    expect((await run('check', at('a.fpl'))).out).toContain('valid, 0 requests')
  })
})
