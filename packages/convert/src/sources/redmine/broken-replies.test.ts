import { describe, expect, test } from 'vitest'
import { problemsOf, readAll, written } from '../../testing/read-all.ts'
import { redmine } from './index.ts'

describe('replies with mistakes', () => {
  const issue = (fields: object) => ({
    ...{
      id: 1,
      subject: 'A',
      status: { id: 1, name: 'New' },
      journals: [],
      attachments: [],
      updated_on: '2026-01-01T00:00:00Z',
    },
    ...fields,
  })
  const problems = async (...replies: readonly unknown[]) => {
    const text = replies.map((reply) => (typeof reply === 'string' ? reply : JSON.stringify(reply))).join('\n')
    const found = await problemsOf(redmine, written({ 'issues.json': text }))
    return found.map(({ place, column, message }) => [place, column, message].filter(Boolean).join(': '))
  }

  test('are named by issue and field, all at once', async () => {
    const found = await problems(
      { issue: issue({ subject: [] }) },
      { issue: issue({ id: 2, subject: null, status: 'New' }) },
      { issue: issue({ id: 3, journals: [{ id: 9, notes: {}, details: [7] }] }) },
    )
    expect(found).toContain('issue 1: subject: is a list, but must be text; export it again')
    expect(found).toContain('issue 2: subject: is missing; export it again')
    expect(found).toContain('issue 2: status: is a string, but must be an object; export it again')
    expect(found).toContain('issue 3: journals[0].notes: is an object, but must be text; export it again')
    expect(found).toContain(
      'issue 3: journals[0].details: is a list of other values, but must be a list of objects; export it again',
    )
  })

  test.each([
    [
      'an issue without its comments',
      [{ issue: issue({ journals: undefined }) }],
      /^issue 1: journals: is not in the export; export each issue with include=journals/,
    ],
    [
      'a list with an issue that is missing',
      [{ issue: issue({}) }, { issues: [{ id: 2 }], total_count: 1 }],
      /^issues\.json, line 2: lists issue 2, but the export does not contain it/,
    ],
    [
      'fewer issues than Redmine counts',
      [{ issue: issue({}) }, { issues: [], total_count: 5 }],
      /^the export: contains 1 issues, but Redmine counts 5/,
    ],
    [
      'an issue that changed between two downloads',
      [{ issue: issue({}) }, { issue: issue({ updated_on: '2026-02-01T00:00:00Z' }) }],
      /^issue 1: is in the export twice/,
    ],
    [
      'a page of users that is missing',
      [{ issue: issue({}) }, { users: [{ id: 1 }], total_count: 150, offset: 0, limit: 100 }],
      /^issues\.json, line 2: is not the last page, but users of 150 from 100 are missing/,
    ],
    [
      'an error of the server',
      [{ errors: ['Internal error'] }],
      /^issues\.json, line 1: has none of issue, issues, users and time_entries, but errors/,
    ],
    [
      'a page of the web server',
      ['<html>502 Bad Gateway</html>'],
      /^issues\.json, line 1: the file is not a JSON export/,
    ],
    [
      'a file that was cut',
      [JSON.stringify({ issue: issue({}) }).slice(0, -2)],
      /^issues\.json, line 1: the file ends in the middle/,
    ],
    ['no issue', [{ users: [] }], /^the export: contains no issue/],
  ])('such as %s are refused', async (_name, replies, message) => {
    expect(await problems(...replies)).toContainEqual(expect.stringMatching(message))
  })

  test('such as a repeated download are none', async () => {
    const text = JSON.stringify({ issue: issue({}) })
    expect(await readAll(redmine, written({ 'issues.json': text + text }))).toHaveLength(1)
  })

  test('such as a hostile file name lead nowhere', async () => {
    const attachments = [{ id: '../../etc', filename: '../../../etc/passwd', content_type: 'text/plain' }]
    const [record] = await readAll(
      redmine,
      written({ 'issues.json': JSON.stringify({ issue: issue({ attachments }) }) }),
    )
    expect(record?.files[0]?.paths).toEqual([])
  })

  test('such as a file that was deleted later are accounted for', async () => {
    const details = [{ property: 'attachment', name: '9', old_value: null, new_value: 'gone.png' }]
    const journals = [
      { id: 1, user: { id: 5, name: 'Jaan' }, notes: 'See the photo', created_on: '2026-01-01T00:00:00Z', details },
    ]
    const [record] = await readAll(redmine, written({ 'issues.json': JSON.stringify({ issue: issue({ journals }) }) }))
    expect(record?.comments).toMatchObject([{ text: 'See the photo', files: [] }])
    expect(record?.values.get('Changes')).toBe('2026-01-01T00:00:00Z Jaan: File added: gone.png')
  })

  test('such as names that every object has are text like any other', async () => {
    const details = [{ property: 'attr', name: 'constructor', old_value: 'a', new_value: 'b' }]
    const relations = [{ issue_id: 2, issue_to_id: 1, relation_type: 'toString' }]
    const custom_fields = [
      { id: 1, name: '__proto__', value: 'x' },
      { id: 2, name: 'Subject', value: 'y' },
      { id: 3, name: 'Subject', value: 'z' },
    ]
    const text = JSON.stringify({ issue: issue({ journals: [{ id: 1, details }], relations, custom_fields }) })
    const [record] = await readAll(redmine, written({ 'issues.json': text }))
    expect(record?.values.get('Changes')).toBe('constructor: a → b')
    expect(record?.values.get('Related issues')).toBe('toString #2')
    expect(record?.values.get('__proto__')).toBe('x')
    expect([2, 3].map((count) => record?.values.get(`Subject (${count})`))).toEqual(['y', 'z'])
  })

  test('such as an id that nothing names stay, and several time entries each have a line', async () => {
    const details = [{ property: 'attr', name: 'assigned_to_id', old_value: '98', new_value: '99' }]
    const entry = (day: number) => ({ issue: { id: 1 }, hours: day, spent_on: `2026-01-0${day}` })
    const found = { issue: issue({ journals: [{ id: 1, details }] }) }
    const times = { time_entries: [entry(1), entry(2), { hours: 3 }], total_count: 3, offset: 0, limit: 100 }
    const [record] = await readAll(redmine, written({ 'issues.json': JSON.stringify(found) + JSON.stringify(times) }))
    expect(record?.values.get('Changes')).toContain('#98 → #99')
    expect(record?.values.get('Time entries')).toBe('2026-01-01 1 h\n2026-01-02 2 h')
  })

  test('such as fields of plugins become columns', async () => {
    const text = JSON.stringify({ issue: issue({ story_points: 5, tags: [{ id: 1, name: 'urgent' }] }) })
    const [record] = await readAll(redmine, written({ 'issues.json': text }))
    expect(record?.values.get('story_points')).toBe('5')
    expect(record?.values.get('tags')).toContain('urgent')
  })
})
