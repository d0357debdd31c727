import { join } from 'node:path'
import { EXPORT_TARGETS } from '@plantroom/contract/conversion'
import { TICKET_STATES } from '@plantroom/contract/request-fields'
import type { ManifestTicket } from '@plantroom/fpl/manifest'
import { expect, test } from 'vitest'
import { exported, packageOf } from './testing/exported.ts'

const FILES = { 'attachments/1/photo.jpg': 'photo', 'attachments/2/in;voice.pdf': 'invoice' }
const PHOTO = { path: 'attachments/1/photo.jpg', contentType: 'image/jpeg' }
const INVOICE = { path: 'attachments/2/in;voice.pdf', name: 'May/in;voice.pdf' }
const REPORTER = { name: 'Mari Mägi', email: 'mari@example.ee', phone: '+372 555 0101' }

/** A value in every field, with comments of every kind. */
const WHOLE: ManifestTicket = {
  ...{ externalId: 'WO-1', number: 17, title: ' Radiator\nis  cold ', state: 'on_hold', priority: 3 },
  ...{ description: 'It drips.\n\nSince Monday.', notes: 'Key at the desk', resolutionSummary: 'Valve replaced' },
  ...{ language: 'et', tone: 'angry', scope: 'unit', safetyHazard: true, unit: 'B-12' },
  ...{ reporter: REPORTER, assignee: 'jaan@example.ee', supervisor: 'kati@example.ee' },
  watchers: ['board@example.ee', 'desk@example.ee'],
  ...{ tags: ['heating', 'air handling', 'a,b'], ccEmails: ['office@example.ee'], feedback: 4, feedbackText: 'Thanks' },
  ...{ createdAt: '2026-04-03T13:05:00+03:00', updatedAt: '2026-04-04T08:00:00Z' },
  ...{ resolvedAt: '2026-04-05T09:30:00Z', stateChangedAt: '2026-04-05T10:00:00Z' },
  attachments: [PHOTO, INVOICE],
  comments: [
    { content: 'On my way', author: REPORTER, createdAt: '2026-04-03T11:00:00Z', attachments: [INVOICE] },
    { content: '[Internal] The tenant has a dog', author: { name: 'Jaan; Õun' }, createdAt: '2026-04-03T12:00:00Z' },
    { content: 'Done; really; at last', author: { phone: '112' }, attachments: [PHOTO] },
    { content: 'By somebody unknown' },
  ],
}

const TICKETS: readonly ManifestTicket[] = [
  WHOLE,
  { externalId: 'WO-2', title: 'Tap leaks', state: 'new' },
  { externalId: 'WO-3', title: 'õ'.repeat(200), state: 'open', reporter: { name: 'Kati' }, attachments: [PHOTO] },
  { externalId: 'WO-4', title: 'Lift stops', state: 'closed', reporter: { phone: '112' }, comments: [], tags: [] },
  ...TICKET_STATES.flatMap((state, index) => [
    { externalId: `WO-1${index}`, title: `Is ${state}`, state, priority: (index % 4) as 0 | 1 | 2 | 3 },
  ]),
]

// A wanted change: run this file with `-u`, and read the difference.
test.each(EXPORT_TARGETS)('a package with a value in every field becomes what is recorded for %s', async (target) => {
  const { result, read, account } = await exported(target, await packageOf(TICKETS, FILES))
  const { files, ...counts } = result
  const tables = files.filter((name) => !name.endsWith('.sh')).map((name) => `== ${name}\n${read(name)}`)
  const left = account.map((row) => `${JSON.stringify(row)}\n`)
  const recorded = join(import.meta.dirname, 'testing/recorded', `${target}.txt`)
  const found = [JSON.stringify({ files, ...counts }), ...tables, '== account', left.join('')].join('\n')
  await expect(found).toMatchFileSnapshot(recorded)
})
