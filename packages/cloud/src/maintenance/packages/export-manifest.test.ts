import { createHash } from 'node:crypto'
import type { Person } from '@plantroom/contract/tickets'
import { flawOfPackageName } from '@plantroom/fpl/package-name'
import type { ManifestRequest } from '@plantroom/fpl/read-requests'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyValues, type StoredRequest } from '../requests/index.ts'
import { createManifestCheck } from './export-checks.ts'
import { createManifestMaker, exportFileName } from './export-manifest.ts'

const AT = '2026-01-01T00:00:00.000Z'
const file = (name: string, content = name) => ({
  name,
  contentType: null,
  sha256: createHash('sha256').update(content).digest(),
})
function stored(changes: Partial<StoredRequest> = {}): StoredRequest {
  return {
    ...emptyValues(),
    number: 40,
    externalId: 'A',
    title: 'Tap',
    state: 'open',
    createdAt: AT,
    stateChangedAt: AT,
    reporter: null,
    assignee: null,
    supervisor: null,
    watchers: [],
    unit: null,
    tags: [],
    attachments: [],
    comments: [],
    ...changes,
  }
}
const pathsOf = (...names: string[]) => {
  const maker = createManifestMaker()
  maker.item(stored({ attachments: names.map((name) => file(name)) }))
  return [...maker.files()].map(({ path }) => path)
}

describe('the path of an attachment', () => {
  test.each([
    ['photo.jpg', '1-photo.jpg'],
    ['kaust/Köök õhtul.JPG', '1-Kook_ohtul.JPG'],
    ['CON', '1-CON'],
    ['..', '1-file'],
    ['name...', '1-name'],
    ['Фото.png', '1-_.png'],
    ['-rf', '1--rf'],
    [`${'x'.repeat(4000)}.pdf`, `1-${'x'.repeat(56)}.pdf`],
  ])('of %j is a safe name', (name, made) => {
    expect(pathsOf(name)).toEqual([`attachments/1/${made}`])
  })

  test('is unique even for names that some file systems treat as equal', () => {
    const names = ['a.txt', 'A.txt', 'õ', 'o', 'x/a.txt', 'a.txt.']
    expect(new Set(pathsOf(...names).map((path) => path.toLowerCase())).size).toBe(names.length)
  })

  test('is shared by attachments with equal bytes, across all requests', () => {
    const maker = createManifestMaker()
    const first = maker.item(stored({ attachments: [file('a', 'same')] }))
    const second = maker.item(
      stored({ comments: [{ content: '', author: null, createdAt: null, attachments: [file('b', 'same')] }] }),
    )
    expect(first).toMatchObject({ attachments: [{ path: 'attachments/1/1-a', name: 'a' }] })
    expect(second).toMatchObject({ comments: [{ attachments: [{ path: 'attachments/1/1-a', name: 'b' }] }] })
    expect([...maker.files()]).toMatchObject([{ path: 'attachments/1/1-a', number: 40 }])
  })
})

describe('what was stored under older rules', () => {
  test('is changed so that an import accepts it, and reported', () => {
    const maker = createManifestMaker()
    const typed = (name: string, contentType: string) => ({ ...file(name), contentType })
    const item = maker.item(
      stored({
        feedback: 2 ** 53,
        attachments: [file('a..b.txt'), file('a.b.txt'), file('a...b.txt'), typed('..', 'hello world')],
        comments: [{ content: '', author: null, createdAt: null, attachments: [typed('x/..y/z', 'text/plain; q=1')] }],
      }),
    )
    const names = (list: readonly { name: string }[]) => list.map(({ name }) => name)
    const { attachments, comments, feedback } = item as ManifestRequest & { attachments: { name: string }[] }
    expect(names(attachments)).toEqual(['a.b (2).txt', 'a.b.txt', 'a.b (3).txt', 'file'])
    expect(comments).toMatchObject([{ attachments: [{ name: 'x/.y/z', contentType: 'text/plain; q=1' }] }])
    expect(feedback).toBeUndefined()
    expect(maker.adjusted()).toEqual([
      { path: 'tickets[0].attachments[0].name', value: 'a..b.txt', became: 'a.b (2).txt' },
      { path: 'tickets[0].attachments[2].name', value: 'a...b.txt', became: 'a.b (3).txt' },
      { path: 'tickets[0].attachments[3].name', value: '..', became: 'file' },
      { path: 'tickets[0].attachments[3].contentType', value: 'hello world', became: null },
      { path: 'tickets[0].comments[0].attachments[0].name', value: 'x/..y/z', became: 'x/.y/z' },
      { path: 'tickets[0].feedback', value: '9007199254740992', became: null },
    ])
    const check = createManifestCheck()
    check.item(item)
    expect(() => check.end()).not.toThrow()
  })

  test('is not touched otherwise', () => {
    const maker = createManifestMaker()
    maker.item(stored({ feedback: 5, attachments: [file('a/b.c'), file('õ')] }))
    expect(maker.adjusted()).toEqual([])
  })
})

describe('a person', () => {
  const reporterOf = (reporter: Person | null) =>
    (createManifestMaker().item(stored({ reporter })) as { reporter?: object }).reporter

  test.each([
    [{ email: null, name: ' ', phone: null }],
    [{ email: null, name: null, phone: '' }],
    [{ email: null, name: null, phone: null }],
  ])('without any information is omitted: %j', (person) => {
    expect(reporterOf(person)).toBeUndefined()
  })

  test('has only the known fields', () => {
    expect(reporterOf({ email: null, name: '', phone: '5' })).toEqual({ name: '', phone: '5' })
  })
})

test.each([
  ['resolved', true],
  ['closed', true],
  ['canceled', false],
  ['open', false],
] as const)('a request that is %s without a time of it gets the time of its state: %s', (state, hasTime) => {
  const item = createManifestMaker().item(stored({ state }))
  expect(item).toEqual({
    externalId: 'A',
    number: 40,
    title: 'Tap',
    state,
    createdAt: AT,
    stateChangedAt: AT,
    ...(hasTime && { resolvedAt: AT }),
  })
})

const EXPORTED_AT = Date.UTC(2026, 4, 1, 23, 59)

test.each([
  ['Õunaaia 3', 'Õunaaia 3 2026-05-01.fpl'],
  ['Õunaaia'.normalize('NFD'), 'Õunaaia 2026-05-01.fpl'],
  ['Main / East: "A" \\ ..', 'Main East A 2026-05-01.fpl'],
  ['../../etc/passwd', 'etc passwd 2026-05-01.fpl'],
  ['Дом', 'site 2026-05-01.fpl'],
  ['', 'site 2026-05-01.fpl'],
  ['x'.repeat(255), `${'x'.repeat(100)} 2026-05-01.fpl`],
])('exportFileName: the package of site %j is called %j', (site, name) => {
  expect(exportFileName(site, EXPORTED_AT)).toBe(name)
})

test('exportFileName returns a valid upload name for any site name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (site) => {
      expect(flawOfPackageName(exportFileName(site, EXPORTED_AT))).toBeUndefined()
    }),
  )
})
