import { guarded } from '@plantroom/base/csv'
import { EXPORT_TARGETS } from '@plantroom/contract/conversion'
import type { ManifestAttachment, ManifestTicket } from '@plantroom/fpl/manifest'
import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellsIn, exported, packageOf } from './testing/exported.ts'
import { FILES, someTickets } from './testing/some-package.ts'

/** Values of a field, with the place of the account. */
interface Value {
  readonly place: string
  readonly column: string
  readonly text: string
}

const STATES = ['state', 'priority']

function valuesOf(ticket: ManifestTicket): Value[] {
  const place = `request ${ticket.externalId}`
  const { reporter, comments, attachments, ...fields } = ticket
  const names = (at: string, files: readonly ManifestAttachment[] = []) =>
    files.flatMap(({ path, name, contentType }) => [
      { place: at, column: 'attachments', text: name ?? path.split('/').at(-1) ?? '' },
      ...(contentType ? [{ place: at, column: 'attachments.contentType', text: contentType }] : []),
    ])
  const person = (at: string, role: string, each: object | null | undefined) =>
    Object.entries(each ?? {}).map(([name, text]) => ({
      place: at,
      column: `${role}.${name}`,
      text: String(text ?? ''),
    }))
  return [
    ...Object.entries(fields).flatMap(([column, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => ({ place, column, text: String(each ?? '') })),
    ),
    ...person(place, 'reporter', reporter),
    ...names(place, attachments),
    ...(comments ?? []).flatMap((comment, index) => {
      const at = `${place}, comment ${index + 1}`
      return [
        { place: at, column: 'content', text: comment.content },
        { place: at, column: 'createdAt', text: comment.createdAt ?? '' },
        ...person(at, 'author', comment.author),
        ...names(at, comment.attachments),
      ]
    }),
  ]
}

/** Every text of the export in one, whatever its form. */
function textsIn(name: string, text: string): string {
  if (name.endsWith('.csv')) return cellsIn(text).flat().join('\u0001')
  const texts = (value: unknown): string =>
    typeof value === 'object' && value !== null ? Object.values(value).map(texts).join('\u0001') : String(value)
  return name.endsWith('.ndjson')
    ? text
        .trim()
        .split('\n')
        .map((line) => texts(JSON.parse(line)))
        .join('\u0001')
    : ''
}

describe.each(EXPORT_TARGETS)('%s', (target) => {
  test('has every value of a package, or the account does', async () => {
    await fc.assert(
      fc.asyncProperty(someTickets, async (tickets) => {
        const { read, result, account } = await exported(target, await packageOf(tickets, FILES))
        const all = result.files.map((file) => textsIn(file, read(file))).join('\u0001')
        for (const { place, column, text } of tickets.flatMap(valuesOf)) {
          // A state or a priority has a word of the other system; other tests compare them.
          if (text.trim() === '' || STATES.includes(column)) continue
          const isAccounted = account.some(
            (entry) => place.startsWith(entry.place ?? '?') && entry.value?.includes(guarded(text)),
          )
          const isThere = all.includes(text.trim()) || isAccounted
          expect(isThere, `${place} ${column}: ${JSON.stringify(text)}\n${JSON.stringify(account)}\n${all}`).toBe(true)
        }
      }),
      cases(3),
    )
  })
})
