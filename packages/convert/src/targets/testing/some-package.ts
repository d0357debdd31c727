import { TICKET_STATES } from '@plantroom/contract/request-fields'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { ManifestAttachment, ManifestTicket } from '@plantroom/fpl/manifest'
import fc from 'fast-check'

const DIFFICULT = [
  ...['=1+1', '+372 555 0100', '-5', '@x', 'a;=b', "'=tick", 'x; y, z', 'two\nlines', '"quoted"', 'a|b', ' padded '],
  ...['2026-01-01;mari;text', 'x'.repeat(400), 'Õhksoojuspump 👍', '<b>bold</b>', 'C:\\temp\\x', '\ttab', 'null'],
]
const text = fc.oneof(
  fc.constantFrom(...DIFFICULT),
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((value) => value.replaceAll('\0', '').toWellFormed()),
)
const filled = (most: number) => text.map((value) => [...value].slice(0, most).join('').trim() || 'x')
const email = fc.constantFrom('mari@example.ee', 'Jaan@Example.com', 'õ@example.com', 'a+b@example.org')
const time = fc
  .date({ min: new Date('1970-01-02'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => formatTimestamp(date.getTime()))
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3 })
const person = fc
  .record({ name: maybe(filled(255)), email: maybe(email), phone: maybe(filled(64)) })
  .map((each) => (each.name || each.email || each.phone ? each : null))

/** Paths of the files that requests may have. */
const NAMES = ['photo.jpg', 'Photo.JPG', 'CON.txt', 'a;b.pdf', 'nimi õ.png', 'x'.repeat(140), 'trailing.', '-rf']
export const FILES: Readonly<Record<string, string>> = Object.fromEntries(
  NAMES.map((name, index) => [`attachments/${index}/${name}`, `content ${index}`]),
)
const attachments = fc.uniqueArray(fc.constantFrom(...Object.keys(FILES)), { maxLength: 3 }).chain((paths) =>
  fc.record({ types: fc.constantFrom(undefined, 'image/png'), names: fc.boolean() }).map(({ types, names }) =>
    paths.map(
      (path, index): ManifestAttachment => ({
        path,
        ...(names && { name: `folder/${index} ${path.split('/').at(-1)}` }),
        ...(types && { contentType: types }),
      }),
    ),
  ),
)

const comment = fc.record({
  content: filled(500),
  author: person,
  createdAt: maybe(time),
  attachments,
})

/** Random requests with the values that tables and other systems find difficult. */
export const someTickets: fc.Arbitrary<ManifestTicket[]> = fc
  .array(
    fc.record({
      title: filled(255),
      state: fc.constantFrom(...TICKET_STATES),
      number: maybe(fc.nat()),
      description: maybe(text),
      notes: maybe(text),
      resolutionSummary: maybe(text),
      priority: maybe(fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const)),
      language: maybe(fc.constantFrom('et', 'en-GB')),
      tone: maybe(fc.constantFrom('neutral' as const, 'angry' as const)),
      scope: maybe(fc.constantFrom('unit' as const, 'common_area' as const)),
      safetyHazard: maybe(fc.boolean()),
      reporter: person,
      assignee: maybe(email),
      supervisor: maybe(email),
      watchers: fc.uniqueArray(email, { maxLength: 3 }),
      unit: maybe(filled(255)),
      tags: fc.uniqueArray(filled(255), { maxLength: 3 }),
      ccEmails: fc.uniqueArray(email, { maxLength: 2 }),
      feedback: maybe(fc.integer({ min: -5, max: 5 })),
      feedbackText: maybe(text),
      createdAt: maybe(time),
      updatedAt: maybe(time),
      resolvedAt: maybe(time),
      stateChangedAt: maybe(time),
      attachments,
      comments: fc.array(comment, { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((tickets) => tickets.map((ticket, index) => ({ ...ticket, externalId: `WO-${index + 1}` })))
