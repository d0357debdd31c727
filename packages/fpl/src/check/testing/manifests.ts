import fc from 'fast-check'

type Json = unknown

/** Files of the package that these manifests are written for. */
export const FILES = ['attachments/a.txt', 'attachments/b/a.txt', 'attachments/ö.txt']

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof(arbitrary, fc.constant(null))
const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constant('🔧'.repeat(300)))
const label = fc.oneof(
  fc.string({ minLength: 1, maxLength: 10 }).map((end) => `x${end}`),
  fc.constant('🔧'.repeat(255)),
)
const email = fc.constantFrom('a@example.com', 'jõgi@mäed.ee', `${'a'.repeat(243)}@example.com`)
const dateTime = fc.constantFrom('2026-03-01T09:30:00Z', '2024-02-29t23:59:59.999999+02:00', '9999-12-31T23:59:59z')
const person = fc.oneof(
  fc.record({ email, name: optional(text.map((name) => [...name].slice(0, 9).join(''))) }, { requiredKeys: ['email'] }),
  fc.record({ name: label, phone: optional(fc.constantFrom('', '+372', '5'.repeat(64))) }, { requiredKeys: ['name'] }),
)
const attachment = fc.record(
  {
    path: fc.constantFrom(...FILES, 'attachments/o\u0308.txt'),
    name: fc.constantFrom('a.txt', 'b.txt', 'b/c.txt', 'ö.txt', 'o\u0308.txt', 'A.TXT', '.a', '🔧'),
    contentType: fc.constantFrom('text/plain', 'Image/SVG+xml; charset=utf-8 ;x="a;\\"b"'),
  },
  { requiredKeys: ['path'] },
)
const attachments = fc.array(attachment, { maxLength: 3 })
const comment = fc.oneof(
  fc.record(
    { content: label, author: optional(person), createdAt: optional(dateTime), attachments },
    { requiredKeys: ['content'] },
  ),
  fc.record({ content: fc.constantFrom('', ' '), attachments: fc.array(attachment, { minLength: 1, maxLength: 2 }) }),
)
const ticket = fc.record(
  {
    externalId: fc.oneof(fc.constantFrom('A', 'a', ' '), label),
    number: optional(fc.integer()),
    title: label,
    description: optional(text),
    notes: optional(text),
    resolutionSummary: optional(text),
    state: fc.constantFrom('new', 'open', 'in_progress', 'on_hold', 'resolved', 'closed', 'canceled'),
    priority: fc.constantFrom(0, 1, 2, 3, null),
    language: fc.constantFrom('et', '', '12345678', null),
    tone: fc.constantFrom('neutral', 'polite', 'frustrated', 'angry', null),
    scope: fc.constantFrom('unit', 'common_area', 'building', null),
    safetyHazard: fc.constantFrom(true, false, null),
    reporter: optional(person),
    assignee: optional(email),
    supervisor: optional(email),
    watchers: fc.array(email, { maxLength: 2 }),
    unit: optional(label),
    tags: fc.array(label, { maxLength: 2 }),
    ccEmails: fc.array(email, { maxLength: 2 }),
    feedback: optional(fc.integer()),
    feedbackText: optional(text),
    createdAt: optional(dateTime),
    updatedAt: optional(dateTime),
    resolvedAt: optional(dateTime),
    stateChangedAt: optional(dateTime),
    attachments,
    comments: fc.array(comment, { maxLength: 3 }),
  },
  { requiredKeys: ['externalId', 'title', 'state'] },
)

/** Manifests that follow the schema. */
export const manifests = fc.record(
  {
    $schema: text,
    version: fc.constant('1.0'),
    exportedAt: dateTime,
    tickets: fc.array(ticket, { maxLength: 4 }),
  },
  { requiredKeys: ['version', 'tickets'] },
)

const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    '',
    ' \t\u00a0',
    'x'.repeat(256),
    '🔧'.repeat(256),
    '5'.repeat(65),
    'x'.repeat(4097),
    '123456789',
  ),
  fc.constantFrom<Json>('a@b', 'A@EXAMPLE.COM', '2026-02-30T00:00:00Z', '2026-01-01', 'New', '1.0', 'attachments/gone'),
  fc.constantFrom<Json>(
    '..',
    '../a',
    '/a',
    'a\\b',
    'C:/a',
    'attachments/../a',
    'a//b',
    'a/./b',
    'a\u0000',
    'b.txt',
    'a\ud83d',
    'a..b',
    'attachments/a..b',
    'hello world',
    'text/plain;charset',
  ),
  fc.constantFrom<Json>(
    2 ** 53,
    -(2 ** 53),
    2 ** 53 - 1,
    1e300,
    null,
    0,
    1,
    4,
    1.5,
    true,
    [],
    {},
    [null],
    { name: ' ' },
    { content: '' },
    { path: 'a' },
  ),
  fc.jsonValue({ maxDepth: 2 }),
)
const mutation = fc.record({
  kind: fc.constantFrom('replace', 'remove', 'add', 'repeat', 'move'),
  place: fc.nat(),
  name: fc.oneof(
    fc.constantFrom('email', 'name', 'content', 'path', 'attachments', 'externalId', 'Title', '__proto__', ''),
    fc.string(),
  ),
  value: odd,
})

/** Manifests with up to six mistakes, as JSON text. */
export const mistakenManifests = fc
  .tuple(manifests, fc.array(mutation, { maxLength: 6 }))
  .map(([manifest, mutations]) => JSON.stringify(mutations.reduce<Json>(mutated, manifest)))

function mutated(
  root: Json,
  { kind, place, name, value }: typeof mutation extends fc.Arbitrary<infer T> ? T : never,
): Json {
  const holder = { root }
  const spots = spotsIn(holder)
  const [container, key] = spots[place % spots.length] as Spot
  const there = container[key]
  if (kind === 'replace') container[key] = value
  else if (kind === 'remove' && container !== holder) delete container[key]
  else if (kind === 'repeat' && Array.isArray(container)) container.push(there)
  else if (kind === 'move' && container !== holder && !Array.isArray(container)) {
    delete container[key]
    container[key] = there
  } else if (typeof there === 'object' && there !== null && !Array.isArray(there)) {
    Object.defineProperty(there, name, { value, enumerable: true, configurable: true, writable: true })
  }
  // Going through JSON closes holes left by removed array items and separates objects that appear twice.
  return JSON.parse(JSON.stringify(holder.root))
}

type Spot = [container: Record<string, Json>, key: string]

function spotsIn(container: Record<string, Json>): Spot[] {
  return Object.keys(container).flatMap((key) => {
    const value = container[key]
    const below = typeof value === 'object' && value !== null ? spotsIn(value as Record<string, Json>) : []
    return [[container, key] as Spot, ...below]
  })
}
