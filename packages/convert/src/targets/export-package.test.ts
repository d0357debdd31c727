import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ManifestTicket } from '@plantroom/fpl/manifest'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { exportPackage } from './export-package.ts'
import { TARGETS } from './index.ts'
import { diskName } from './stored-files.ts'
import { cellsIn, exported, packageOf } from './testing/exported.ts'

const TICKET: ManifestTicket = { externalId: 'WO-1', title: 'Radiator is cold', state: 'on_hold' }

describe('an export', () => {
  test('has the content of every file, each in a folder of its own', async () => {
    const files = { 'attachments/a/Photo.jpg': 'one', 'attachments/b/photo.JPG': 'two', 'attachments/unused': 'x' }
    const attachments = [{ path: 'attachments/a/Photo.jpg' }, { path: 'attachments/b/photo.JPG' }]
    const input = await packageOf([{ ...TICKET, attachments, comments: [{ content: 'x', attachments }] }], files)
    const { read, result, has } = await exported('csv', input)
    expect(result).toMatchObject({ tickets: 1, comments: 1, attachments: 4 })
    expect(read('attachments/f1/Photo.jpg')).toBe('one')
    expect(read('attachments/f2/photo.JPG')).toBe('two')
    expect(has('attachments/f3')).toBe(false)
  })

  test.each([
    ['../../etc/passwd', '____etc_passwd'],
    ['NUL.txt', 'NUL_.txt'],
    ['com1', 'com1_'],
    ['name. ', 'name'],
    ['.bashrc', 'bashrc'],
    ['-rf', 'rf'],
    ['a;b|c.pdf', 'a_b_c.pdf'],
    ['exe\u202Egpj.txt', 'exe_gpj.txt'],
    ['...', '_'],
  ])('gives %j a safe name', (name, expected) => {
    expect(diskName(name)).toBe(expected)
  })

  test('keeps names within what file systems take, with their extension', () => {
    const name = diskName(`${'õ'.repeat(140)}.jpeg`)
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
    expect(name).toMatch(/^õ+\.jpeg$/)
  })

  test('never replaces a folder that exists, unless it is an export and that is asked for', async () => {
    const input = await packageOf([TICKET])
    const output = join(temporaryFolder(), 'out')
    const write = (isReplaced?: boolean) => exportPackage({ target: TARGETS.csv, input, output, isReplaced })
    mkdirSync(output)
    await write()
    await expect(write()).rejects.toThrow(`${output} exists; name a new folder, or use --force to replace it`)
    writeFileSync(join(output, 'old.txt'), 'x')
    await write(true)
    expect(existsSync(join(output, 'old.txt'))).toBe(false)
    const other = temporaryFolder()
    writeFileSync(join(other, 'precious.txt'), 'x')
    const onOther = exportPackage({ target: TARGETS.csv, input, output: other, isReplaced: true })
    await expect(onOther).rejects.toThrow('has other files in it; name a new folder')
    await expect(exportPackage({ target: TARGETS.csv, input, output: input })).rejects.toThrow(
      'is a file; name a folder',
    )
  })

  test('leaves nothing behind if the package is invalid, damaged or the work is stopped', async () => {
    const output = join(temporaryFolder(), 'out')
    const attempt = (input: string, signal?: AbortSignal) =>
      exportPackage({ target: TARGETS.csv, input, output, unplacedCsv: join(dirname(output), 'u.csv'), signal })
    const invalid = await packageOf([{ ...TICKET, state: 'lost' as 'new' }])
    await expect(attempt(invalid)).rejects.toThrow(
      /site\.fpl is not a valid package: Invalid manifest: .*lost must be one of/,
    )
    const damaged = await packageOf([{ ...TICKET, attachments: [{ path: 'attachments/x' }] }], {
      'attachments/x': 'content',
    })
    const bytes = readFileSync(damaged)
    bytes.write('C', bytes.indexOf('content'))
    writeFileSync(damaged, bytes)
    await expect(attempt(damaged)).rejects.toThrow('checksum')
    await expect(attempt(await packageOf([TICKET]), AbortSignal.abort())).rejects.toThrow('aborted')
    await attempt(await packageOf([TICKET]))
    expect(readdirSync(dirname(output)).sort()).toEqual(['out', 'u.csv'])
  })

  test('has all requests of many batches, in order', async () => {
    const tickets = Array.from(
      { length: 2500 },
      (_, index): ManifestTicket => ({ ...TICKET, externalId: `WO-${index}` }),
    )
    const { read } = await exported('redmine', await packageOf(tickets))
    const ids = read('issues.ndjson')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).externalId)
    expect(createHash('sha256').update(ids.join()).digest('hex')).toBe(
      createHash('sha256')
        .update(tickets.map(({ externalId }) => externalId).join())
        .digest('hex'),
    )
  })
})

describe('the table for Jira', () => {
  const person = { name: 'Mari; Mägi', email: 'mari@example.ee', phone: '+372 555' }
  const at = '2026-04-03T13:05:00+03:00'

  test('has comments and files in the form that its import takes', async () => {
    const comments = [
      { content: 'Done; really', author: person, createdAt: at, attachments: [{ path: 'attachments/my photo.jpg' }] },
      { content: '1; 2; 3' },
    ]
    const input = await packageOf([{ ...TICKET, tags: ['air handling'], comments }], {
      'attachments/my photo.jpg': 'x',
    })
    const { read, account } = await exported('jira', input, { table: { baseUrl: 'https://files.example.com/' } })
    const [head = [], row = []] = cellsIn(read('issues.csv'))
    const cell = (name: string) => row[head.indexOf(name)]
    expect(cell('Status')).toBe('On Hold')
    expect(cell('Labels')).toBe('air_handling')
    expect(cell('Comment')).toBe(
      '2026-04-03T10:05:00.000Z;mari@example.ee;Done; really\nAuthor name: Mari; Mägi\nAuthor phone: +372 555\nAttachment: my photo.jpg',
    )
    expect(row[head.lastIndexOf('Comment')]).toBe('Comment:\n1; 2; 3')
    expect(cell('Attachment')).toBe(
      '2026-04-03T10:05:00.000Z;mari@example.ee;my photo.jpg;https://files.example.com/attachments/f1/my%20photo.jpg',
    )
    const became = Object.fromEntries(account.map(({ column, became: text }) => [column, text]))
    expect(became).toMatchObject({ tags: 'a label with _ for spaces', 'author.phone': 'part of the comment' })
  })

  test('has no columns for labels, watchers, comments and files that no request has', async () => {
    const { read } = await exported('jira', await packageOf([TICKET]))
    const [head = []] = cellsIn(read('issues.csv'))
    expect(head).toContain('Summary')
    expect(head).not.toEqual(expect.arrayContaining([expect.stringMatching(/Labels|Watchers|Comment|Attachment/)]))
  })

  test('is not made wider by one request with very many comments', async () => {
    const comments = Array.from({ length: 700 }, (_, index) => ({ content: `comment ${index}` }))
    const { read, account } = await exported('jira', await packageOf([{ ...TICKET, comments }]))
    const [head = [], row = []] = cellsIn(read('issues.csv'))
    expect(head.filter((name) => name === 'Comment')).toHaveLength(500)
    expect(row.at(-1)).toContain('comment 699')
    expect(account.filter(({ column }) => column === 'comments')).toHaveLength(200)
  })
})

test('a ticket for Zammad has its customer, its articles and what Zammad has no place for', async () => {
  const reporter = { name: 'Mari Anna Mägi', phone: '+372 555' }
  const request = { ...TICKET, priority: 3 as const, reporter, tags: ['heating', 'a,b'], notes: 'Key at the desk' }
  const { read } = await exported('zammad', await packageOf([{ ...request, comments: [{ content: 'On my way' }] }]))
  const { ticket, articles } = JSON.parse(read('tickets.ndjson'))
  expect(ticket).toMatchObject({
    ...{ title: 'Radiator is cold', state: 'open', priority: '3 high', tags: 'heating' },
    customer: {
      firstname: 'Mari Anna',
      lastname: 'Mägi',
      phone: '+372 555',
      login: expect.stringMatching(/^plantroom-/),
    },
    article: { body: 'Radiator is cold', internal: false, content_type: 'text/plain' },
  })
  expect(articles).toHaveLength(2)
  expect(articles[0]).toMatchObject({ internal: true })
  expect(articles[0].body.split('\n')).toEqual([
    ...['External id: WO-1', 'State: on_hold', 'Notes: Key at the desk', 'Priority: 3', 'Tags:', 'heating', 'a,b'],
  ])
  expect(articles[1]).toMatchObject({ internal: false, body: 'On my way' })
})

test('a ticket for RT has what RT would cut off or refuse in a form that it takes', async () => {
  const [title, name] = ['õ'.repeat(150), `${'õ'.repeat(130)}.jpg`]
  const attachments = [{ path: 'attachments/x', name, contentType: 'text/plain' }]
  const reporter = { name: 'Mägi, "Mari"', email: 'mari@example.ee' }
  const comments = [{ content: '0' }, { content: '[Internal] Key at the desk' }]
  const request = { ...TICKET, title, state: 'closed' as const, priority: 3 as const, reporter, attachments, comments }
  const input = await packageOf([{ ...request, resolvedAt: '2026-04-03T13:05:00+03:00' }], { 'attachments/x': 'x' })
  const { read, account } = await exported('rt', input)
  const { ticket, status, resolved, people, messages } = JSON.parse(read('tickets.ndjson'))
  expect(ticket).toMatchObject({ Subject: `${'õ'.repeat(98)}…`, Priority: 100, Content: '\n' })
  expect({ status, resolved }).toEqual({ status: 'resolved', resolved: '2026-04-03 10:05:00' })
  expect(people).toMatchObject({ Requestor: ['"Mägi,  Mari" <mari@example.ee>'] })
  const [file] = ticket.Attachments
  expect(file).toMatchObject({ name: expect.stringMatching(/^õ{98}\.jpg$/), FileType: 'application/octet-stream' })
  expect(Buffer.from(file.FileName, 'latin1').toString()).toBe(file.name)
  expect(messages).toMatchObject([
    { isInternal: true, Content: expect.stringContaining(`Title: ${title}\nState: closed\nPriority: 3\n`) },
    { isInternal: false, Content: '0\n' },
    { isInternal: true, Content: 'Key at the desk\n' },
  ])
  expect(account.filter(({ column }) => column?.startsWith('attachments')).map(({ value }) => value)).toEqual([
    name,
    'text/plain',
  ])
})
