import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { type Answered, BOUNDS, type Outgoing, type Transport } from '../../../platform/outbound/index.ts'
import { openWebdav } from './webdav.ts'

const BYTES = Buffer.from('a package')
const signal = new AbortController().signal

interface Asked extends Outgoing {
  what: string
}

/** A WebDAV folder in memory. `fault` may answer instead; a number is a status. */
function open(fault: (asked: Asked, count: number) => number | Partial<Answered> | undefined = () => undefined) {
  const files = new Map<string, Buffer>()
  const asked: Asked[] = []
  const nameIn = (url: URL) => decodeURIComponent(url.pathname.slice('/dav/'.length))
  const transport: Transport = {
    async send(url, outgoing) {
      const name = nameIn(url)
      const one = { ...outgoing, what: `${outgoing.method} ${name}` }
      asked.push(one)
      const given = fault(one, asked.filter(({ what }) => what === one.what).length)
      const empty = { status: 204, headers: {}, body: Buffer.alloc(0) }
      // The body is read in any case: a stream that nobody reads does not end.
      const body = outgoing.body instanceof Readable ? await buffer(outgoing.body) : Buffer.alloc(0)
      if (given !== undefined) return { ...empty, ...(typeof given === 'number' ? { status: given } : given) }
      const file = files.get(name)
      if (outgoing.method === 'PUT') files.set(name, body)
      if (outgoing.method === 'PUT') return { ...empty, status: 201 }
      if (outgoing.method === 'PROPFIND' && name === '') return { ...empty, status: 207 }
      if (!file) return { ...empty, status: 404 }
      if (outgoing.method === 'HEAD') return { ...empty, status: 200, headers: { 'content-length': `${file.length}` } }
      if (outgoing.method === 'GET') return { ...empty, status: 200, body: file }
      files.delete(name)
      if (outgoing.method === 'MOVE') files.set(nameIn(new URL(outgoing.headers.destination ?? '')), file)
      return empty
    },
  }
  const place = { url: 'https://dav.example/dav/', user: 'me', password: 'geheim' }
  const target = openWebdav(place, { transport, group: 'org_a' })
  let moved = 0
  const progress = () => {
    moved += 1
  }
  const put = (attempt = 2, own: AbortSignal = signal) =>
    target.put(
      'a b.fpl',
      { size: BYTES.length, open: async () => Readable.from([BYTES]) },
      { signal: own, attempt, progress },
    )
  return { files, asked, target, put, moved: () => moved, whats: () => asked.map(({ what }) => what) }
}

describe('a WebDAV folder', () => {
  test('gets a file under another name, which is changed once the file is complete', async () => {
    const { files, asked, put, whats, moved } = open()
    await put()
    expect(whats()).toEqual([
      'PROPFIND ',
      'DELETE .a b.fpl.1.part',
      'PUT .a b.fpl.2.part',
      'HEAD .a b.fpl.2.part',
      'MOVE .a b.fpl.2.part',
      'HEAD a b.fpl',
    ])
    expect([...files]).toEqual([['a b.fpl', BYTES]])
    expect(moved()).toBe(1)
    const authorization = `Basic ${Buffer.from('me:geheim').toString('base64')}`
    for (const one of asked) {
      expect(one).toMatchObject({ group: 'org_a', bounds: BOUNDS.webdav, signal, headers: { authorization } })
    }
    expect(asked.map(({ headers: { authorization: _, ...rest } }) => rest)).toEqual([
      { depth: '0', 'content-length': '0' },
      {},
      { 'content-length': '9', 'content-type': 'application/zip' },
      {},
      { destination: 'https://dav.example/dav/a%20b.fpl', overwrite: 'T', 'content-length': '0' },
      {},
    ])
  })

  test('is read and cleaned, also of what is not there', async () => {
    const { files, target } = open()
    files.set('x', BYTES)
    expect(await target.read('x', signal)).toEqual(BYTES)
    await target.remove('x', signal)
    await target.remove('x', signal)
    expect(files.size).toBe(0)
    await expect(target.read('x', signal)).rejects.toThrow('dav.example answered 404 to reading a file')
  })

  test.each([
    ['a property', `<d:getcontentlength>9</d:getcontentlength>`, undefined],
    ['a property with spaces', `<getcontentlength xmlns="DAV:"> 9 </getcontentlength>`, undefined],
    ['another size', `<d:getcontentlength>8</d:getcontentlength>`, 'has 8 bytes after an upload of 9 bytes'],
    ['no size', '<d:multistatus/>', 'does not have the file after an upload of 9 bytes'],
  ])('says the size of a file in %s where it does not with HEAD', async (_what, text, problem) => {
    const { put } = open(({ method, what }) => {
      if (method === 'HEAD') return 200
      return method === 'PROPFIND' && what !== 'PROPFIND ' ? { status: 207, body: Buffer.from(text) } : undefined
    })
    if (problem === undefined) await put()
    else await expect(put()).rejects.toThrow(problem)
  })

  test('that has no file after a confirmed upload is not believed, and is left clean', async () => {
    const { put, whats } = open(({ method }, count) =>
      method === 'PUT' ? 201 : method === 'HEAD' && count ? 404 : undefined,
    )
    await expect(put()).rejects.toThrow(
      'dav.example does not have the file after an upload of 9 bytes that it confirmed: check its disk space and its log',
    )
    expect(whats().at(-1)).toBe('DELETE .a b.fpl.2.part')
  })

  test('that lost the file while it was renamed is not believed', async () => {
    const { put } = open(({ what }) =>
      what === 'HEAD a b.fpl' ? { status: 200, headers: { 'content-length': '1' } } : undefined,
    )
    await expect(put()).rejects.toThrow('has 1 bytes after an upload of 9 bytes')
  })

  test.each([
    ['PROPFIND ', 'the folder', 200],
    ['PUT .a b.fpl.2.part', 'writing a file', 500],
    ['MOVE .a b.fpl.2.part', 'renaming a file', 207],
    ['MOVE .a b.fpl.2.part', 'renaming a file', 199],
  ])('that refuses %s stops the delivery', async (step, what, status) => {
    const { put, files } = open((asked) => (asked.what === step ? status : undefined))
    const message = `dav.example answered ${status} to ${what}: try again, and check the log of the server`
    await expect(put()).rejects.toThrow(message)
    expect(files.size).toBe(0)
  })

  test.each([200, 201, 204, 299])('may confirm with %i', async (status) => {
    const { files, put } = open(({ method }) => (method === 'DELETE' ? status : undefined))
    await put()
    expect([...files.keys()]).toEqual(['a b.fpl'])
  })

  test.each([
    [300, 'redirects are not followed; enter the address that it leads to'],
    [399, 'redirects are not followed; enter the address that it leads to'],
    [400, 'try again, and check the log of the server'],
    [401, 'the user or the password is wrong'],
    [403, 'the user may not do this in this folder'],
    [404, 'the folder does not exist; create it, or correct the address'],
    [409, 'the folder does not exist; create it, or correct the address'],
    [405, 'this is not a WebDAV folder, or it is read-only'],
    [501, 'this is not a WebDAV folder, or it is read-only'],
    [413, 'the server does not take files of this size'],
    [423, 'the file is locked'],
    [507, 'the server has no space left'],
  ])('that answers %i says what to do', async (status, reason) => {
    const { put } = open(({ what }) => (what === 'PROPFIND ' ? status : undefined))
    await expect(put()).rejects.toThrow(`dav.example answered ${status} to the folder: ${reason}`)
  })

  test('that cannot delete says so, unless the file is gone', async () => {
    const { target } = open(() => 403)
    await expect(target.remove('x', signal)).rejects.toThrow('answered 403 to deleting a file')
  })

  test('that cannot be reached says why', async () => {
    const { target } = open(() => {
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    })
    await expect(target.read('x', signal)).rejects.toThrow('dav.example refuses connections')
  })

  test('is left as it is when the delivery is aborted, with the reason of that', async () => {
    const stopping = new AbortController()
    const { put, whats } = open(({ method }) => {
      if (method !== 'PUT') return undefined
      stopping.abort(new Error('the process is stopping'))
      throw new Error('aborted')
    })
    await expect(put(2, stopping.signal)).rejects.toThrow('the process is stopping')
    expect(whats().at(-1)).toBe('PUT .a b.fpl.2.part')
  })
})
