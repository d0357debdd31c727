import { readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { analyzeSource } from '../../convert.ts'
import type { SourceRecord } from '../../source.ts'
import { countsOf, problemsOf, readAll, recordsOf, written } from '../../testing/read-all.ts'
import { jira } from './index.ts'

const CASES = join(import.meta.dirname, 'cases')
const [CSV = '', USERS = '', XML = ''] = ['issues.csv', 'users.csv', 'issues.xml'].map((name) => join(CASES, name))

function issueOf(records: readonly SourceRecord[], key: string): SourceRecord {
  const found = records.find(({ values }) => values.get('Issue key') === key)
  if (!found) throw new Error(`no issue ${key}`)
  return found
}

describe('the CSV export of Jira', () => {
  test('contains as many issues, comments and files as its raw text', async () => {
    const text = readFileSync(CSV, 'utf8')
    expect(countsOf(await readAll(jira, [CSV, USERS]))).toEqual({
      records: text.match(/,PLANT-\d+,/g)?.length,
      comments: text.match(/(?<=,"?)\d\d\/Apr\/26 \d+:\d\d [AP]M;[^;,]+;(?!.*(png|jpg);http)/g)?.length,
      files: text.match(/https:\/\/kelluka/g)?.length,
    })
  })

  test('gives every field a column', async () => {
    const { values, files, place } = issueOf(await readAll(jira, [CSV, USERS]), 'PLANT-3')
    expect(place).toBe('issue PLANT-3')
    expect(Object.fromEntries(values)).toMatchObject({
      Summary: 'Radiator is cold',
      Description: 'The radiator in *B-12* is cold.\n\nPlease come after 17:00; "õhtul".',
      Created: '03/Apr/26 2:05 PM',
      Labels: 'heating, radiator',
      Reporter: 'Mari Maasikas',
      'Reporter email': 'mari.maasikas@example.ee',
      'Assignee email': 'jaan.oun@example.ee',
      'Watchers email': 'jaan.oun@example.ee',
      'Watchers without address': 'Peeter Põld',
      'Custom field (Apartment)': 'B-12',
      'Custom field (Satisfaction)': '5',
      'Log Work': 'Valve checked;04/Apr/26 9:00 AM;5b10ac8d82e05b22cc7d4ef5;1800',
    })
    expect(files.map(({ name, paths }) => [name, paths])).toEqual([
      [
        'radiator õhtul.jpg',
        expect.arrayContaining(['PLANT-3/20001/radiator õhtul.jpg', 'PLANT/10000/PLANT-3/20001', 'radiator õhtul.jpg']),
      ],
      ['image001.png', expect.not.arrayContaining(['image001.png'])],
    ])
  })

  test('proves the state by the category of the status', async () => {
    const records = await readAll(jira, [CSV])
    expect(issueOf(records, 'PLANT-3').values.get('Status')).toBe('Waiting for parts')
    expect(issueOf(records, 'PLANT-3').evidence).toBe('in_progress')
    expect(issueOf(records, 'PLANT-5').evidence).toBe('resolved')
  })

  test('proves the state by the resolution, where there is no category', async () => {
    const issues = 'Summary,Issue key,Status,Resolution\na,P-1,Shipped,Done\nb,P-2,Odd,Unresolved\nc,P-3,Odd,\n'
    const records = await readAll(jira, written({ 'issues.csv': issues }))
    expect(records.map(({ evidence }) => evidence)).toEqual(['resolved', undefined, undefined])
  })

  test('names the authors of comments, in the order of time', async () => {
    const records = await readAll(jira, [CSV, USERS])
    expect(issueOf(records, 'PLANT-3').comments).toMatchObject([
      {
        author: { email: 'jaan.oun@example.ee' },
        createdAt: '03/Apr/26 4:20 PM',
        text: 'We will look at it; tomorrow.\n\nBring a ladder, please.',
      },
      { author: { name: 'Peeter Põld' }, text: 'Part ordered' },
    ])
    expect(issueOf(records, 'PLANT-5').comments).toMatchObject([
      { author: { name: 'Peeter Põld' }, text: 'On my way.' },
      { author: { name: 'Jira user 70000000000000000000beef' }, text: 'Washer replaced.' },
    ])
  })

  test('without the users, keeps a name where there is no address', async () => {
    const { values } = issueOf(await readAll(jira, [CSV]), 'PLANT-3')
    expect(values.get('Assignee without address')).toBe('Jaan Õun')
    expect(values.has('Assignee email')).toBe(false)
  })

  test('does not take the address of another person with the same name', async () => {
    const users = 'User id,User name,email\n1,Jaan Õun,first@example.ee\n2,Jaan Õun,second@example.ee\n'
    const issues = 'Summary,Issue key,Assignee\nTap,P-1,Jaan Õun\n'
    const [record] = await readAll(jira, written({ 'issues.csv': issues, 'users.csv': users }))
    expect(record?.values.get('Assignee without address')).toBe('Jaan Õun')
  })

  test('keeps a comment whole that has no date and author', async () => {
    const issues = 'Summary,Issue key,Comment\nTap,P-1,Just; some text\n'
    const [record] = await readAll(jira, written({ 'issues.csv': issues }))
    expect(record?.comments).toMatchObject([{ text: 'Just; some text', author: undefined, createdAt: undefined }])
  })
})

describe('the XML export of Jira', () => {
  test('contains as many issues, comments and files as its raw text', async () => {
    const text = readFileSync(XML, 'utf8')
    expect(countsOf(await readAll(jira, [XML]))).toEqual({
      records: text.match(/<item>/g)?.length,
      comments: text.match(/<comment /g)?.length,
      files: text.match(/<attachment /g)?.length,
    })
  })

  test('has the columns of the CSV export, with HTML as text', async () => {
    const { values } = issueOf(await readAll(jira, [XML, USERS]), 'PLANT-3')
    expect(Object.fromEntries(values)).toMatchObject({
      'Issue key': 'PLANT-3',
      Summary: 'Radiator is cold',
      Description: expect.stringMatching(
        /^The radiator in B-12 is cold & leaks\.\s+Please come after 17:00 – "õhtul"\.\s*\nThank you\.$/,
      ),
      Created: '2026-04-03T14:05:00+03:00',
      'Due date': '2026-04-10',
      Status: 'Waiting for parts',
      'Status Category': 'indeterminate',
      Labels: 'heating, radiator',
      Components: 'Heating, Building B',
      'Reporter email': 'mari.maasikas@example.ee',
      'Assignee email': 'jaan.oun@example.ee',
      'Custom field (Apartment)': 'B-12',
      'Custom field (Trade)': 'Heating, Plumbing',
      'Linked issues': 'relates to PLANT-5',
      'Internal comments': '1',
    })
    expect(values.has('Resolution')).toBe(false)
  })

  test.each(['<statusCategory id="3" key="done" colorName="green"/>', '<statusCategory>Done</statusCategory>'])(
    'lists a status of its own with the category of %s',
    async (category) => {
      const item = (key: string) =>
        `<item><key>${key}</key><summary>a</summary><status id="1">Handed over</status>${category}</item>`
      const xml = `<rss version="0.92"><channel>${item('P-1')}${item('P-2')}</channel></rss>`
      const { mapping, notes } = await analyzeSource(jira, written({ 'issues.xml': xml }))
      expect(mapping.states).toEqual({ 'Handed over': 'resolved' })
      expect(notes?.map(({ code }) => code)).toEqual(['states-by-evidence'])
    },
  )

  test('leaves unassigned issues without an assignee', async () => {
    const { values } = issueOf(await readAll(jira, [XML]), 'PLANT-4')
    expect([...values.keys()].filter((column) => column.startsWith('Assignee'))).toEqual([])
    expect(values.get('Reporter')).toBe('Lobby tablet')
    expect(values.get('Summary')).toBe('Lift, stands still <3rd floor>')
  })

  test('orders comments by time and marks those that a role could see', async () => {
    const { comments } = issueOf(await readAll(jira, [XML]), 'PLANT-3')
    expect(comments.map(({ text }) => text)).toEqual([
      'We will look at it tomorrow.',
      'Any news?',
      '[Internal] The tenant has a dog.',
    ])
  })

  test('gives the same records when it is read twice', async () => {
    await using source = await jira.open([XML, USERS])
    const first = await recordsOf(source)
    expect(await recordsOf(source)).toEqual(first)
  })

  test('takes elements whose names every object has', async () => {
    const xml = '<rss><item><key>P-1</key><constructor>A</constructor><toString>B</toString></item></rss>'
    const [record] = await readAll(jira, written({ 'a.xml': xml }))
    expect([...(record?.values ?? [])]).toEqual([
      ['Issue key', 'P-1'],
      ['constructor', 'A'],
      ['toString', 'B'],
    ])
  })

  test('reads the encoding that it declares', async () => {
    const xml =
      '<?xml version="1.0" encoding="ISO-8859-1"?><rss><item><key>P-1</key><summary>Õun</summary></item></rss>'
    const [record] = await readAll(jira, written({ 'a.xml': Buffer.from(xml, 'latin1') }))
    expect(record?.values.get('Summary')).toBe('Õun')
  })
})

const item = (content: string) => `<rss><channel><item><key>P-1</key>${content}</item></channel></rss>`
const bomb = `<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>${item('<summary>&b;</summary>')}`

describe('an export that cannot be read', () => {
  test.each([
    ['a ragged row', 'a.csv', 'Summary,Issue key,Status\nTap,P-1,Open\nTap,P-2\n', 'row 3', 'Status', /2 of 3 cells/],
    [
      'an issue twice',
      'a.csv',
      'Summary,Issue key\nTap,P-1\nTap,P-1\n',
      'row 3',
      'Issue key',
      /P-1 is already in row 2/,
    ],
    ['an issue without key', 'a.csv', 'Summary,Issue key\nTap,P-1\nTap,\n', 'row 3', 'Issue key', /has no key/],
    ['no header', 'a.csv', 'Summary,Issue key\n', expect.stringMatching(/a\.csv$/), undefined, /no issues were found/],
    ['an open quotation mark', 'a.csv', 'Summary,Issue key\nTap,P-1\n"Tap,P-2\n', 'row 3', undefined, /never closed/],
    [
      'an item without key',
      'a.xml',
      '<rss><item><key>P-1</key></item>\n<item><summary>A</summary></item></rss>',
      'line 2',
      'key',
      /has no key/,
    ],
    [
      'an item twice',
      'a.xml',
      '<rss><item><key>P-1</key></item>\n<item><key>P-1</key></item></rss>',
      'line 2',
      'Issue key',
      /P-1/,
    ],
    ['a page to sign in', 'a.xml', '<html><body><br></body></html>', 'a.xml, line 1', undefined, /is a web page/],
    [
      'another XML',
      'a.xml',
      '<entities><Issue/></entities>',
      expect.stringMatching(/a\.xml$/),
      undefined,
      /no issues were found/,
    ],
    ['an entity that multiplies itself', 'a.xml', bomb, 'a.xml, line 1', undefined, /declares a document type/],
    [
      'an entity from elsewhere',
      'a.xml',
      '<!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>',
      'a.xml, line 1',
      undefined,
      /declares a document type/,
    ],
    [
      'an unknown entity',
      'a.xml',
      item('\n<summary>&secret;</summary>'),
      'a.xml, line 2',
      undefined,
      /undefined entity/,
    ],
    ['deep nesting', 'a.xml', `<rss>${'<a>'.repeat(100)}`, 'a.xml, line 1', undefined, /more than 64 levels/],
    [
      'wrong bytes',
      'a.xml',
      Buffer.from(item('\n<summary>Õun</summary>'), 'latin1'),
      'a.xml, line 1',
      undefined,
      /its encoding/,
    ],
  ])('is refused with its place: %s', async (_, name, content, place, column, message) => {
    const [problem, ...others] = await problemsOf(jira, written({ [name]: content }))
    expect(problem).toMatchObject({ place, message: expect.stringMatching(message) })
    expect(problem?.column).toBe(column)
    expect(others).toEqual([])
  })

  test('is refused wherever the XML was cut', async () => {
    const bytes = Buffer.from(`<?xml version="1.0"?>\n${item('<summary a="b">Õ&amp;<![CDATA[x]]></summary>')}`)
    const [path = ''] = written({ 'a.xml': bytes })
    for (let length = bytes.length - 1; length > 0; length -= 1) {
      truncateSync(path, length)
      expect(await problemsOf(jira, [path]), `cut at ${length}`).toHaveLength(1)
    }
  })

  test('names a file that does not exist', async () => {
    expect(await problemsOf(jira, ['/nowhere/issues.csv'])).toMatchObject([{ message: 'the file does not exist' }])
  })
})

test.each([
  ['<!DOCTYPE html><html><body>Sign in</body></html>', 'the file is a web page'],
  ['<html><head/><body><div id="source"><rss/></div></body></html>', 'the file is a web page'],
  ['<rss version="2.0"><channel><item><title>News</title></item></channel></rss>', 'is an RSS feed of something else'],
  ['This XML file does not appear to have any style information associated with it.', 'that a browser shows for XML'],
])('%s is called what it is', async (content, message) => {
  expect(await problemsOf(jira, written({ 'issues.xml': content }))).toEqual([
    expect.objectContaining({ message: expect.stringContaining(message) }),
  ])
})
