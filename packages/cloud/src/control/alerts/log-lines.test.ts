import { newId } from '@plantroom/base/ids'
import { expect, test } from 'vitest'
import { linesAbout } from './log-lines.ts'

const tenant = { orgId: newId('org'), siteId: newId('site'), deviceIds: [newId('dev')] }
const [device = ''] = tenant.deviceIds
const line = (fields: object) =>
  `${JSON.stringify({ level: 40, time: 1_700_000_000_000, pid: 1, name: 'cloud', ...fields })}\n`
const messages = (...lines: string[]) => linesAbout(lines, tenant, 3).map(({ message }) => message)

test('a line about a controller of the site is shown with its cause', () => {
  expect(
    linesAbout([line({ device, error: 'ECONNRESET', msg: 'the connection to a device failed' })], tenant, 3),
  ).toEqual([
    {
      at: '2023-11-14T22:13:20.000Z',
      level: 'warn',
      message: `the connection to a device failed · device=${device} · error=ECONNRESET`,
    },
  ])
})

test('lines about others, about several tenants or about nobody are left out', () => {
  const others = newId('dev')
  expect(
    messages(
      line({ device: others, msg: 'theirs' }),
      line({ device, other: others, msg: 'both' }),
      line({ msg: 'the database is slow' }),
      line({ msg: `only the organization ${tenant.orgId}` }),
      'not JSON\n',
    ),
  ).toEqual([])
})

test('fields that may name people are left out, and secrets are removed', () => {
  const text = messages(
    line({
      device,
      email: 'mari@example.ee',
      user: 'Mari',
      address: '192.0.2.7',
      msg: 'password=hunter2 of mari@example.ee',
    }),
  ).join()
  expect(text).toContain(device)
  expect(text).not.toMatch(/mari|192\.0\.2|hunter2/i)
})

test('the newest lines are kept', () => {
  expect(messages(...['1', '2', '3', '4'].map((msg) => line({ device, msg })))).toHaveLength(3)
  expect(messages(...['1', '2', '3', '4'].map((msg) => line({ device, msg })))[0]).toMatch(/^2 /)
})

test('a line of any level is shown with the fields that help, and at most 1,000 characters', () => {
  const levels = [10, 20, 30, 40, 50, 60, 35].map((level) => linesAbout([line({ device, level })], tenant, 1)[0]?.level)
  expect(levels).toEqual(['trace', 'debug', 'info', 'warn', 'error', 'fatal', '35'])
  const fields = { connection: 'con_1', kind: 'poll', attempt: 1, attempts: 2, count: 3, statusCode: 500 }
  expect(messages(line({ device, ...fields, list: [1], msg: 'failed', err: { message: 'lost' } }))).toEqual([
    `failed · error=lost · device=${device} · connection=con_1 · kind=poll · attempt=1 · attempts=2 · count=3 · statusCode=500`,
  ])
  expect(messages(line({ device, msg: 'x'.repeat(2_000) }))[0]).toHaveLength(1_000)
})
