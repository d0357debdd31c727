import type { Read } from '../normal/parts.ts'
import type { Call, Session } from './session.ts'
import { header, parsedBody, VtnFailure } from './vtn-failure.ts'

/** The longest page of the standard. */
export const PAGE_SIZE = 50
/** The most objects of one list. */
export const MAX_OBJECTS = 10_000
const MAX_PASSES = 5

/** A list as the VTN has it. */
export interface Listing<Value> {
  readonly items: readonly Value[]
  /** What could not be read, by id. It is in the list, but nothing can be done about it. */
  readonly unreadable: readonly { readonly id: string | null; readonly problem: string }[]
  /** True when the VTN said, for each page, that nothing has changed since the last reading. */
  readonly isUnchanged: boolean
}

/** The pages of a list as they were last read, by address, where the VTN gives ETags. */
export type PageCache = Map<
  string,
  { readonly etag: string; readonly items: readonly unknown[]; readonly size: number }
>
/** Pages beyond this are read again each time: thousands of VTNs are remembered. */
const MAX_CACHED_CHARACTERS = 2 * 1024 * 1024

interface Pass {
  readonly objects: readonly unknown[]
  readonly isConsistent: boolean
  readonly isUnchanged: boolean
}

/**
 * Reads a list page by page. Every page overlaps the one before by one object, which shows whether the list moved in between;
 * then it is read again. A list in no particular order counts when two readings have the same objects.
 */
export async function readList<Value>(
  session: Session,
  list: Pick<Call, 'path' | 'query'>,
  reader: (given: unknown) => Read<Value>,
  cache: PageCache = new Map(),
): Promise<Listing<Value>> {
  let before: string | undefined
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const { objects, isConsistent, isUnchanged } = await readPages(session, list, cache)
    if (isConsistent) return { ...readEach(objects, reader), isUnchanged }
    const now = fingerprint(objects)
    if (now === before) return { ...readEach(objects, reader), isUnchanged }
    before = now
  }
  throw new VtnFailure(
    'changing',
    `GET ${list.path}: the list changed while we read it, ${MAX_PASSES} times`,
    'Does the VTN keep the order of a list between pages?',
  )
}

async function readPages(
  session: Session,
  { path, query }: Pick<Call, 'path' | 'query'>,
  cache: PageCache,
): Promise<Pass> {
  const seen = new Map<string, unknown>()
  let [isConsistent, isUnchanged, lastId] = [true, true, '']
  const used = new Set<string>()
  let first: readonly unknown[] = []
  for (let skip = 0; ; ) {
    const page = await readPage(session, { path, query: { ...query, skip, limit: PAGE_SIZE } }, cache)
    used.add(page.key)
    isUnchanged &&= page.isUnchanged
    if (skip === 0) first = page.items
    else if (page.items.length > 1 && isSame(page.items, first)) break // It does not page.
    // Not the first page that is shorter than asked for: a VTN may give fewer, and what it left out is not deleted.
    if (page.items.length <= (skip > 0 ? 1 : 0)) break
    if (skip > 0 && idOf(page.items[0]) !== lastId) isConsistent = false
    for (const [index, item] of page.items.entries()) {
      const id = idOf(item) ?? textOf(item)
      if (seen.has(id) && !(skip > 0 && index === 0)) isConsistent = false
      seen.set(id, item)
      lastId = id
    }
    if (seen.size > MAX_OBJECTS)
      throw new VtnFailure(
        'too-large',
        `GET ${path}: more than ${MAX_OBJECTS} objects`,
        'Can our client see fewer programs?',
      )
    if (skip > 2 * MAX_OBJECTS) break
    skip += Math.max(1, page.items.length - 1)
  }
  for (const key of cache.keys()) if (!used.has(key)) cache.delete(key)
  return { objects: [...seen.values()], isConsistent, isUnchanged }
}

async function readPage(session: Session, list: Pick<Call, 'path' | 'query'>, cache: PageCache) {
  const key = JSON.stringify(list)
  const cached = cache.get(key)
  const answer = await session.call({
    method: 'GET',
    ...list,
    ...(cached && { headers: { 'if-none-match': cached.etag } }),
    accepted: [304],
  })
  if (answer.status === 304 && cached) return { key, items: cached.items, isUnchanged: true }
  const items = answer.status === 204 ? [] : parsedBody(answer, `GET ${list.path}`)
  if (!Array.isArray(items))
    throw new VtnFailure(
      'broken',
      `GET ${list.path}: the answer is not a list`,
      'Which version of OpenADR 3 does the VTN have?',
      {
        status: answer.status,
      },
    )
  const [etag, size] = [header(answer, 'etag'), answer.body.length]
  cache.delete(key)
  const cachedSize = [...cache.values()].reduce((sum, page) => sum + page.size, 0)
  if (etag !== undefined && cachedSize + size <= MAX_CACHED_CHARACTERS) cache.set(key, { etag, items, size })
  return { key, items: items as readonly unknown[], isUnchanged: false }
}

function idOf(item: unknown): string | undefined {
  const id = typeof item === 'object' && item !== null ? (item as { id?: unknown }).id : undefined
  return typeof id === 'string' ? id : undefined
}

/** Most pages differ in their first object. */
const isSame = (page: readonly unknown[], first: readonly unknown[]) =>
  idOf(page[0]) === idOf(first[0]) && fingerprint(page) === fingerprint(first)

const fingerprint = (objects: readonly unknown[]) => JSON.stringify(objects.map(textOf).sort())

function textOf(item: unknown): string {
  try {
    return JSON.stringify(item)
  } catch (error) {
    // It takes less to parse what is deep than to write it. One such object hides none of the others.
    if (error instanceof RangeError) return `${idOf(item)} is nested too deeply`
    throw error
  }
}

/** What was read of objects before: a page that has not changed has the same ones, and a list has one reader. */
const reads = new WeakMap<object, Read<unknown>>()

function readOnce<Value>(object: unknown, reader: (given: unknown) => Read<Value>): Read<Value> {
  if (typeof object !== 'object' || object === null) return reader(object)
  const known = reads.get(object) ?? reader(object)
  reads.set(object, known)
  return known as Read<Value>
}

function readEach<Value>(objects: readonly unknown[], reader: (given: unknown) => Read<Value>) {
  const items: Value[] = []
  const unreadable: { id: string | null; problem: string }[] = []
  for (const object of objects) {
    const read = readOnce(object, reader)
    if ('value' in read) items.push(read.value)
    else unreadable.push({ id: idOf(object) ?? null, problem: read.problem })
  }
  return { items, unreadable }
}
