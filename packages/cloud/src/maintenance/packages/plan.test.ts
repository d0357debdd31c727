import type { ManifestRequest } from '@plantroom/fpl/read-requests'
import { describe, expect, test } from 'vitest'
import {
  type Finding,
  findingsIn,
  findingsOf,
  linkRequest,
  mergeFindings,
  namesIn,
  type PersonMatch,
  personNamesIn,
  planRequests,
} from './plan.ts'

const request = (fields: Partial<ManifestRequest> = {}): ManifestRequest => ({
  externalId: 'A',
  title: 'Title',
  state: 'new',
  ...fields,
})
const place = (externalId: string, index: number) => ({ index, request: request({ externalId }) })
const person = (id: string | null, key: string): PersonMatch => ({
  id,
  key,
  outcome: id === null ? 'left' : 'known',
  member: null,
  isNameless: false,
})
const nothing = { people: new Map(), units: new Map(), tags: new Map() }
const known = {
  people: new Map([
    ['a@x.ee', person('p_a', 'a@x.ee')],
    ['A@x.ee', person('p_a', 'a@x.ee')],
    ['no@x.ee', person(null, 'no@x.ee')],
    ['NO@x.ee', person(null, 'no@x.ee')],
  ]),
  units: new Map([
    ['Room', { name: 'Room', id: 'u_1', outcome: 'known' as const }],
    ['Cellar', { name: 'Cellar', id: null, outcome: 'left' as const }],
  ]),
  tags: new Map([
    ['old', { name: 'old', id: 't_1', outcome: 'known' as const }],
    ['former', { name: 'old', id: 't_1', outcome: 'mapped' as const }],
    ['new', { name: 'new', id: 't_2', outcome: 'created' as const }],
  ]),
}

describe('a request', () => {
  test('is new, already on the site, or created by an earlier attempt of this job', () => {
    const existing = new Map([
      ['B', 'job_other'],
      ['C', null],
      ['D', 'job_1'],
    ])
    const planned = planRequests(['A', 'B', 'C', 'D'].map(place), existing, 'job_1')
    expect(planned.map(({ outcome }) => outcome)).toEqual(['create', 'skip', 'skip', 'created'])
  })

  test('includes the attachments of its comments in its count', () => {
    const full = request({
      attachments: [{ path: 'attachments/a' }],
      comments: [
        { content: 'x' },
        { content: '', attachments: [{ path: 'attachments/a' }, { path: 'attachments/b' }] },
      ],
    })
    expect(planRequests([{ index: 0, request: full }], new Map(), 'job')).toMatchObject([
      { comments: 2, attachments: 3 },
    ])
  })

  test('is linked to people, without duplicates, and to its unit', () => {
    const links = linkRequest(
      request({
        reporter: { email: 'A@x.ee' },
        assignee: 'a@x.ee',
        supervisor: 'no@x.ee',
        watchers: ['no@x.ee', 'a@x.ee', 'A@x.ee'],
        unit: ' Room ',
        tags: ['new', ' old', 'new ', 'former'],
        comments: [
          { content: 'x', author: { name: 'N' } },
          { content: 'x', author: { email: 'a@x.ee' } },
        ],
      }),
      known,
    )
    expect(links).toEqual({
      reporterId: 'p_a',
      assigneeId: 'p_a',
      supervisorId: null,
      watcherIds: ['p_a'],
      authorIds: [null, 'p_a'],
      unitId: 'u_1',
      tagIds: ['t_2', 't_1'],
    })
  })

  test('without optional fields has no links', () => {
    expect(linkRequest(request({ unit: ' ', reporter: null, assignee: null }), nothing)).toEqual({
      reporterId: null,
      assigneeId: null,
      supervisorId: null,
      watcherIds: [],
      authorIds: [],
      unitId: null,
      tagIds: [],
    })
  })
})

describe('the findings of a request', () => {
  test('are skipped people, an unknown unit and new tags, but not people kept as text', () => {
    const found = [
      ...findingsOf(
        {
          index: 2,
          request: request({
            reporter: { email: 'no@x.ee' },
            assignee: 'a@x.ee',
            supervisor: 'NO@x.ee',
            watchers: ['no@x.ee'],
            unit: ' Cellar',
            tags: ['old', 'new', 'former'],
            comments: [{ content: 'x', author: { email: 'no@x.ee' } }],
          }),
        },
        known,
      ),
    ]
    expect(found.map(({ kind, key, value, roles, outcome }) => [kind, key, value, outcome, ...roles])).toEqual([
      ['email', 'no@x.ee', 'NO@x.ee', 'left', 'supervisor'],
      ['email', 'no@x.ee', 'no@x.ee', 'left', 'watcher'],
      ['unit', 'Cellar', 'Cellar', 'left'],
      ['tag', 'new', 'new', 'created'],
      ['tag', 'former', 'former', 'mapped'],
    ])
    const positions = found.map(({ position }) => position)
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
    const [later] = findingsOf({ index: 3, request: request({ unit: 'Cellar' }) }, known)
    expect(later?.position).toBeGreaterThan(positions.at(-1) ?? Number.POSITIVE_INFINITY)
  })

  test('of a request with very many names come before those of the next request', () => {
    const tags = Array.from({ length: 300_000 }, (_, index) => `t${index}`)
    const created = new Map(tags.map((name) => [name, { name, id: null, outcome: 'created' as const }]))
    const requests = [0, 1].map((index) => ({ index, request: request({ tags: index === 0 ? tags : ['t0'] }) }))
    const positions = [...findingsIn(requests, { ...nothing, tags: created })].map(({ position }) => position)
    expect(positions).toHaveLength(300_001)
    expect(positions.at(-1)).toBeGreaterThan(positions.at(-2) ?? Number.POSITIVE_INFINITY)
  })

  test('are merged: first spelling, all roles', () => {
    const email = (value: string, roles: Finding['roles'], position: number): Finding => ({
      kind: 'email',
      key: 'a@x.ee',
      value,
      roles,
      outcome: 'left',
      position,
    })
    const unit: Finding = { kind: 'unit', key: 'a@x.ee', value: 'a@x.ee', roles: [], outcome: 'left', position: 2 }
    expect(mergeFindings([email('A@x.ee', ['watcher'], 1), unit, email('a@x.ee', ['assignee'], 3), unit])).toEqual([
      email('A@x.ee', ['assignee', 'watcher'], 1),
      unit,
    ])
  })
})

test('namesIn returns every name once', () => {
  const names = namesIn([
    request({ assignee: 'a@x.ee', watchers: ['a@x.ee', 'b@x.ee'], unit: 'Room', tags: [' t', 't'] }),
    request({
      reporter: { email: 'c@x.ee' },
      unit: ' Room',
      comments: [{ content: 'x', author: { email: 'd@x.ee' } }],
    }),
  ])
  expect(names).toEqual({
    emails: ['a@x.ee', 'b@x.ee', 'c@x.ee', 'd@x.ee'],
    assigned: new Set(['a@x.ee', 'b@x.ee']),
    units: ['Room'],
    tags: ['t'],
  })
})

test('personNamesIn returns the first name of each reporter and author', () => {
  const names = personNamesIn([
    request({ reporter: { email: 'Õ@x.ee', name: ' ' }, comments: [{ content: 'x', author: { name: 'Nobody' } }] }),
    request({ comments: [{ content: 'x', author: { email: 'õ@x.ee', name: ' Õie ' } }] }),
    request({ reporter: { email: 'õ@X.ee', name: 'Another' } }),
  ])
  expect([...names]).toEqual([['õ@x.ee', 'Õie']])
})
