import type { Mapping, Target } from '@plantroom/contract/conversion'
import { describe, expect, test } from 'vitest'
import { createAccount } from '../account.ts'
import { createProblemList } from '../problems.ts'
import { applyColumns } from './apply.ts'
import { compileMapping } from './compile.ts'
import { derivedTitle, emptyDraft, joined } from './draft.ts'

const long = (count: number) => 'x'.repeat(count)

/** Applies cells, each with its target, and returns what differs from an empty draft, and the account. */
function applied(cells: readonly (readonly [target: Target, value: string])[], change: Partial<Mapping> = {}) {
  const names = cells.map(([target], index) => `${index} ${target}`)
  const columns = Object.fromEntries(cells.map(([target], index) => [names[index], target]))
  const tables = { states: { 'Half done': 'in_progress' }, priorities: { Hot: 3, None: null } } as const
  const base = { timeZone: 'UTC', dateOrder: 'dmy', otherState: 'new', columns, ...tables } as const
  const account = createAccount()
  const deps = { mapping: compileMapping({ ...base, ...change }), account, problems: createProblemList() }
  const values = new Map(cells.map(([, value], index) => [names[index] ?? '', value]))
  const { description, notes, ...draft } = applyColumns({ place: 'row 2', values }, deps)
  return {
    ...draft,
    description: joined(description),
    notes: joined(notes),
    became: account.totals().map(({ column, code, detail }) => [column, code, ...(detail ? [detail] : [])].join(' ')),
  }
}

const { description: _description, notes: _notes, ...rest } = emptyDraft('new')
const EMPTY = { ...rest, description: undefined, notes: undefined, became: [] }

describe('a cell', () => {
  test.each<[Target, string, object]>([
    ['omit', 'a', { became: ['0 omit left-out'] }],
    ['description+', 'a', { description: '0 description+: a', became: ['0 description+ description'] }],
    ['description+', 'a\nb', { description: '0 description+:\na\nb', became: ['0 description+ description'] }],
    ['notes+', 'a', { notes: '0 notes+: a', became: ['0 notes+ notes'] }],
    ['description', 'a', { description: 'a' }],
    ['notes', 'a', { notes: 'a' }],
    ['comment', 'a', { comments: ['a'], became: ['0 comment comment'] }],
    ['attachments', 'a', { files: [{ column: '0 attachments', value: 'a' }] }],
    ['title', ' a ', { fields: { title: 'a' } }],
    [
      'title',
      'a \r\n b',
      { fields: { title: 'a b' }, description: '0 title:\na \r\n b', became: ['0 title short-title'] },
    ],
    ['title', long(255), { fields: { title: long(255) } }],
    ['state', ' half DONE', { state: 'in_progress', hasState: true }],
    ['state', 'On Hold', { state: 'on_hold', hasState: true }],
    [
      'state',
      'odd',
      {
        hasState: true,
        unlistedState: { place: 'row 2', column: '0 state', value: 'odd' },
        notes: '0 state: odd',
        became: ['0 state other-state new'],
      },
    ],
    ['priority', 'hot', { fields: { priority: 3 } }],
    ['priority', 'None', { fields: { priority: null } }],
    ['priority', 'odd', { notes: '0 priority: odd', became: ['0 priority notes-no-priority'] }],
    ['number', '-7', { fields: { number: -7 } }],
    ['number', '007', { notes: '0 number: 007', became: ['0 number notes-unfit number'] }],
    ['number', '1.5', { notes: '0 number: 1.5', became: ['0 number notes-unfit number'] }],
    ['feedback', '5', { fields: { feedback: 5 } }],
    ['feedback', 'good', { notes: '0 feedback: good', became: ['0 feedback notes-unfit feedback'] }],
    ...['true', 'Yes', 'y', '1', 'x', 'ja', 'wahr', 'jah', 'j'].map((value): [Target, string, object] => [
      'safetyHazard',
      value,
      { fields: { safetyHazard: true } },
    ]),
    ...['false', 'No', 'n', '0', 'nein', 'falsch', 'ei'].map((value): [Target, string, object] => [
      'safetyHazard',
      value,
      { fields: { safetyHazard: false } },
    ]),
    ['safetyHazard', 'odd', { notes: '0 safetyHazard: odd', became: ['0 safetyHazard notes-unfit safetyHazard'] }],
    ...['neutral', 'polite', 'frustrated', 'angry'].map((value): [Target, string, object] => [
      'tone',
      value.toUpperCase(),
      { fields: { tone: value } },
    ]),
    ['tone', 'odd', { notes: '0 tone: odd', became: ['0 tone notes-unfit tone'] }],
    ['scope', 'unit', { fields: { scope: 'unit' } }],
    ['scope', 'Common - area', { fields: { scope: 'common_area' } }],
    ['scope', 'building', { fields: { scope: 'building' } }],
    ['externalId', long(255), { fields: { externalId: long(255) } }],
    ['unit', long(256), { notes: `0 unit: ${long(256)}`, became: ['0 unit notes-unfit unit'] }],
    ['language', long(8), { fields: { language: long(8) } }],
    ['language', long(9), { notes: `0 language: ${long(9)}`, became: ['0 language notes-unfit language'] }],
    ['externalId', long(256), { notes: `0 externalId: ${long(256)}`, became: ['0 externalId notes-unfit externalId'] }],
    ['resolutionSummary', long(5_000), { fields: { resolutionSummary: long(5_000) } }],
    ['feedbackText', 'good', { fields: { feedbackText: 'good' } }],
    ['createdAt', '2026-04-03', { fields: { createdAt: '2026-04-03T00:00:00.000Z' } }],
    ['assignee', 'a@b.ee', { fields: { assignee: 'a@b.ee' } }],
    ['supervisor', 'a@b.ee', { fields: { supervisor: 'a@b.ee' } }],
    ['assignee', 'Jaan', { notes: '0 assignee: Jaan', became: ['0 assignee notes-no-email'] }],
    [
      'supervisor',
      'Jaan <a@b.ee>',
      {
        fields: { supervisor: 'a@b.ee' },
        notes: '0 supervisor: Jaan <a@b.ee>',
        became: ['0 supervisor person-name-in-notes supervisor'],
      },
    ],
    ['tags', 'a; b,a|c', { lists: { ...EMPTY.lists, tags: ['a', 'b', 'c'] } }],
    ['tags', ';,', { became: ['0 tags left-out-separators'] }],
    ['tags', long(255), { lists: { ...EMPTY.lists, tags: [long(255)] } }],
    ['tags', long(256), { notes: `0 tags: ${long(256)}`, became: ['0 tags notes-long-tag'] }],
    ['watchers', 'a@b.ee;c@d.ee;a@b.ee', { lists: { ...EMPTY.lists, watchers: ['a@b.ee', 'c@d.ee'] } }],
    ['watchers', 'Jaan', { notes: '0 watchers: Jaan', became: ['0 watchers notes-no-email'] }],
    [
      'ccEmails',
      'Jaan <a@b.ee>',
      {
        lists: { ...EMPTY.lists, ccEmails: ['a@b.ee'] },
        notes: '0 ccEmails: Jaan <a@b.ee>',
        became: ['0 ccEmails address-name-in-notes'],
      },
    ],
    ['reporter.name', 'Mari', { reporter: { name: 'Mari' } }],
    ['reporter.name', 'Mari <a@b.ee>', { reporter: { name: 'Mari', email: 'a@b.ee' } }],
    ['reporter.email', 'a@b.ee', { reporter: { email: 'a@b.ee' } }],
    ['reporter.email', 'Mari', { reporter: { name: 'Mari' }, became: ['0 reporter.email reporter-name'] }],
    ['reporter.phone', long(64), { reporter: { phone: long(64) } }],
    ['reporter.phone', 'a@b.ee', { reporter: { phone: 'a@b.ee' } }],
    ['reporter.phone', long(65), { notes: `0 reporter.phone: ${long(65)}`, became: ['0 reporter.phone notes'] }],
    ['reporter.name', long(255), { reporter: { name: long(255) } }],
    ['reporter.name', long(256), { notes: `0 reporter.name: ${long(256)}`, became: ['0 reporter.name notes'] }],
    ['unit', ' ', {}],
    ['unit', 'a\0', { fields: { unit: 'a\ufffd' }, became: ['0 unit unstorable-character'] }],
  ])('for %s: %j', (target, value, expected) => {
    expect(applied([[target, value]])).toEqual({ ...EMPTY, ...expected })
  })

  test('that no mapping lists goes to the description', () => {
    expect(applied([['unit', 'a']], { columns: {} })).toMatchObject({ description: '0 unit: a', fields: {} })
  })
})

describe('a second cell', () => {
  test.each<[Target, string, string, object]>([
    ['description', 'a', 'b', { description: 'a\n\n1 description: b', became: ['1 description description'] }],
    ['notes', 'a', 'b', { notes: 'a\n\n1 notes: b', became: ['1 notes notes'] }],
    ['title', 'a', 'b', { fields: { title: 'a' }, description: '1 title: b', became: ['1 title description'] }],
    ['state', 'open', 'new', { state: 'open', hasState: true, notes: '1 state: new', became: ['1 state notes'] }],
    ['priority', 'None', 'Hot', { fields: { priority: null }, notes: '1 priority: Hot', became: ['1 priority notes'] }],
    ['unit', 'a', 'b', { fields: { unit: 'a' }, notes: '1 unit: b', became: ['1 unit notes'] }],
    [
      'assignee',
      'a@b.ee',
      'c@d.ee',
      { fields: { assignee: 'a@b.ee' }, notes: '1 assignee: c@d.ee', became: ['1 assignee notes'] },
    ],
    [
      'createdAt',
      '2026-04-03',
      '2026-04-04',
      {
        fields: { createdAt: '2026-04-03T00:00:00.000Z' },
        description: '1 createdAt: 2026-04-04',
        became: ['1 createdAt description'],
      },
    ],
    ['comment', 'a', 'b', { comments: ['a', 'b'], became: ['0 comment comment', '1 comment comment'] }],
    ['reporter.name', 'Mari', 'Mari', { reporter: { name: 'Mari' } }],
    [
      'reporter.name',
      'Mari',
      'Jaan',
      { reporter: { name: 'Mari' }, notes: '1 reporter.name: Jaan', became: ['1 reporter.name notes'] },
    ],
    ['reporter.name', 'Mari', 'Mari <a@b.ee>', { reporter: { name: 'Mari', email: 'a@b.ee' } }],
    [
      'reporter.name',
      'Mari',
      'Jaan <a@b.ee>',
      {
        reporter: { name: 'Mari', email: 'a@b.ee' },
        notes: '1 reporter.name: Jaan <a@b.ee>',
        became: ['1 reporter.name reporter-email-and-notes'],
      },
    ],
    ['reporter.email', 'a@b.ee', 'a@b.ee', { reporter: { email: 'a@b.ee' } }],
    [
      'reporter.email',
      'a@b.ee',
      'c@d.ee',
      { reporter: { email: 'a@b.ee' }, notes: '1 reporter.email: c@d.ee', became: ['1 reporter.email notes'] },
    ],
    [
      'reporter.email',
      'Mari',
      'Jaan',
      {
        reporter: { name: 'Mari' },
        notes: '1 reporter.email: Jaan',
        became: ['0 reporter.email reporter-name', '1 reporter.email notes'],
      },
    ],
  ])('for %s: %j, %j', (target, first, second, expected) => {
    expect(
      applied([
        [target, first],
        [target, second],
      ]),
    ).toEqual({ ...EMPTY, ...expected })
  })
})

test('a separator of the mapping replaces the usual ones', () => {
  expect(applied([['tags', 'a, b/c']], { separator: '/' }).lists.tags).toEqual(['a, b', 'c'])
})

test('a zone that does not exist is refused', () => {
  expect(() => applied([], { timeZone: 'Mars' })).toThrow('Mars is not a time zone; use a name such as Europe/Tallinn')
})

test('a title is derived from the first text that says something, or from the id', () => {
  const draft = emptyDraft('new')
  expect(derivedTitle(draft, '7')).toEqual({ title: 'Request 7', isOfField: true })
  draft.notes.main.push('d')
  expect(derivedTitle(draft, '7')).toEqual({ title: 'd', isOfField: true })
  draft.description.appended.push('c')
  expect(derivedTitle(draft, '7')).toEqual({ title: 'c', isOfField: true })
  draft.comments.push('b')
  expect(derivedTitle(draft, '7')).toEqual({ title: 'b', isOfField: false })
  draft.description.main.push(` \n  ${long(256)} \nz`)
  expect(derivedTitle(draft, '7')).toEqual({ title: `${long(254)}…`, isOfField: false })
})
