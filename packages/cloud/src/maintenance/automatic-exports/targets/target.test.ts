import { describe, expect, test } from 'vitest'
import { RefusedAddress } from '../../../platform/outbound/index.ts'
import { explainNetwork, oneLine } from './explain-network.ts'
import { offeredKinds, openTarget } from './open-target.ts'
import { kindsOf, labelOf, locationOf, publicLabelOf, recipientOf, splitSecret, TargetFailure } from './target.ts'
import { testTarget } from './test-target.ts'

const S3 = { region: 'eu', bucket: 'files', accessKeyId: 'key' }
const DAV = { url: 'https://dav.example:8443/a/b/', user: 'me' }

describe('a described target', () => {
  test('is split into its place and its secret', () => {
    expect(splitSecret({ s3: { ...S3, secretAccessKey: 'x', endpoint: '' } })).toEqual({
      place: { s3: { ...S3, endpoint: null, prefix: '' } },
      secret: 'x',
    })
    expect(
      splitSecret({ s3: { ...S3, secretAccessKey: 'x', endpoint: 'https://s3.example', prefix: 'p/' } }).place,
    ).toEqual({
      s3: { ...S3, endpoint: 'https://s3.example', prefix: 'p/' },
    })
    expect(splitSecret({ webdav: { ...DAV, password: 'x' } })).toEqual({ place: { webdav: DAV }, secret: 'x' })
    expect(splitSecret({ webdav: { url: 'https://dav.example/a?b', user: 'me' } })).toEqual({
      place: { webdav: { url: 'https://dav.example/a/?b', user: 'me' } },
      secret: undefined,
    })
    expect(splitSecret({ webdav: { url: 'no address', user: 'me' } }).place).toEqual({
      webdav: { url: 'no address', user: 'me' },
    })
    expect(splitSecret({ folder: { path: 'a' } })).toEqual({ place: { folder: { path: 'a' } }, secret: undefined })
    expect(splitSecret({})).toEqual({ place: { folder: { path: '' } }, secret: undefined })
  })

  test('has the kinds that it has', () => {
    expect([{}, { s3: S3 }, { webdav: DAV, folder: { path: '' } }].map(kindsOf)).toEqual([
      [],
      ['s3'],
      ['webdav', 'folder'],
    ])
  })

  test('is at the same place while its files are', () => {
    const files = [{ ...S3 }, { ...S3, endpoint: null, prefix: '' }, { ...S3, accessKeyId: 'other' }]
    expect(new Set(files.map((s3) => locationOf({ s3 }))).size).toBe(1)
    const others = [{ region: 'us' }, { bucket: 'b' }, { prefix: 'p/' }, { endpoint: 'https://s3.example' }]
    const places = [
      ...[S3, ...others.map((other) => ({ ...S3, ...other }))].map((s3) => ({ s3 })),
      ...[DAV, { ...DAV, url: 'https://dav.example/' }].map((webdav) => ({ webdav })),
      ...['', 'a'].map((path) => ({ folder: { path } })),
    ]
    expect(new Set(places.map(locationOf)).size).toBe(places.length)
    expect(locationOf({ webdav: { ...DAV, user: 'other' } })).toBe(locationOf({ webdav: DAV }))
  })

  test('has the same recipient of its secret while server and user are the same', () => {
    const keeps = [S3, { ...S3, bucket: 'b', prefix: 'p/', endpoint: null }].map((s3) => recipientOf({ s3 }))
    expect(new Set(keeps).size).toBe(1)
    expect(recipientOf({ webdav: { ...DAV, url: 'https://dav.example:8443/x/' } })).toBe(recipientOf({ webdav: DAV }))
    const others = [
      ...[S3, { ...S3, region: 'us' }, { ...S3, accessKeyId: 'x' }, { ...S3, endpoint: 'https://s3.example' }].map(
        (s3) => ({ s3 }),
      ),
      ...[DAV, { ...DAV, user: 'x' }, { ...DAV, url: 'https://dav.example/a/b/' }].map((webdav) => ({ webdav })),
      { folder: { path: 'a' } },
    ]
    expect(new Set(others.map(recipientOf)).size).toBe(others.length)
  })

  test.each([
    [{ s3: S3 }, 'S3 files/', 'S3 files/'],
    [{ s3: { ...S3, endpoint: 'https://s3.example:9000/x', prefix: 'p/' } }, 'S3 s3.example:9000/files/p/', undefined],
    [{ webdav: DAV }, 'WebDAV dav.example:8443/a/b/', 'WebDAV dav.example:8443'],
    [{ folder: { path: 'weekly' } }, 'Folder weekly', 'Folder weekly'],
    [{ folder: { path: '' } }, 'Folder of the site', 'Folder of the site'],
  ])('is named for people: %j', (place, label, publicLabel) => {
    expect(labelOf(place)).toBe(label)
    expect(publicLabelOf(place)).toBe(publicLabel ?? label)
  })

  test('may be a folder where the operator set one', async () => {
    expect(offeredKinds({ exportFolder: undefined })).toEqual(['s3', 'webdav'])
    expect(offeredKinds({ exportFolder: '/x' })).toEqual(['s3', 'webdav', 'folder'])
    const target = { organizationId: 'org_a', siteId: 'site_a', place: { folder: { path: '' } }, secret: undefined }
    const opening = openTarget(target, { transport: { send: () => Promise.reject() }, exportFolder: undefined })
    await expect(opening).rejects.toThrow(
      'this service offers no folder: ask the operator to set PLANTROOM_EXPORT_FOLDER',
    )
  })
})

describe('a server that cannot be reached', () => {
  test.each([
    ['CERT_HAS_EXPIRED', 'the certificate of dav.example is not valid (CERT_HAS_EXPIRED): install one that is'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'the certificate of dav.example is not valid'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate of dav.example is not valid'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate of dav.example is not valid'],
    ['EMSGSIZE', 'dav.example sent a longer answer than any server of this kind: check the address'],
    ['EPROTO', 'dav.example does not speak TLS on this port: check the address and the port'],
    ['ECONNREFUSED', 'dav.example refuses connections: check the port, and that it is running'],
    ['ECONNRESET', 'dav.example closed the connection: try again, and check the log of the server'],
    ['EPIPE', 'dav.example closed the connection'],
    ['ETIMEDOUT', 'dav.example does not answer: check the address and the firewall'],
    ['EHOSTUNREACH', 'dav.example does not answer'],
    ['ENETUNREACH', 'dav.example does not answer'],
    ['EOTHER', 'dav.example could not be used: it failed'],
  ])('is explained: %s', (code, message) => {
    const explained = explainNetwork(Object.assign(new Error('it\n failed'), { code }), 'dav.example')
    expect(explained).toBeInstanceOf(TargetFailure)
    expect(explained).toMatchObject({ isUnreachable: true, message: expect.stringContaining(message) })
  })

  test('is explained without a code, too', () => {
    const explain = (error: unknown) => explainNetwork(error, 'dav.example').message
    expect(explain(new DOMException('late', 'TimeoutError'))).toContain('does not answer')
    expect(explain(Object.assign(new Error(''), { code: 'EODD' }))).toBe('dav.example could not be used: EODD')
    const refused = new RefusedAddress('the address is private')
    expect(explain(refused)).toBe('the address is private: enter the address of a public server')
  })

  test('keeps what is explained already', () => {
    const known = new TargetFailure('the disk is full')
    expect(explainNetwork(known, 'dav.example')).toBe(known)
    expect([known.isUnreachable, known.name]).toEqual([false, 'TargetFailure'])
  })

  test('is quoted on one line, shortened', () => {
    expect(oneLine(` a\r\n\u200bb\t c${'x'.repeat(400)}`)).toBe(`a b c${'x'.repeat(294)}`)
    expect(oneLine('\ud800')).toBe('\ufffd')
  })
})

describe('a test of a target', () => {
  const signal = new AbortController().signal
  /** A target that fails at one step, or returns another content. */
  function failing(step?: string, error: Error = new TargetFailure('refused')) {
    const calls: string[] = []
    let stored = Buffer.alloc(0)
    const act = (name: string) => {
      calls.push(name)
      if (step === name) throw error
    }
    const target = {
      async put(_name: string, file: { size: number; open(): Promise<AsyncIterable<Buffer>> }) {
        act('put')
        for await (const chunk of await file.open()) stored = Buffer.concat([stored, chunk])
        expect(stored).toHaveLength(file.size)
      },
      async read() {
        act('read')
        return step === 'other' ? Buffer.from('x') : stored
      },
      async remove() {
        act('remove')
      },
      close() {},
    }
    return { calls, target }
  }

  test('writes, reads and deletes a file', async () => {
    const { calls, target } = failing()
    expect(await testTarget(target, signal)).toEqual({ ok: true, failedStep: null, message: null })
    expect(calls).toEqual(['put', 'read', 'remove'])
  })

  test.each([
    ['put', 'write', ['put']],
    ['read', 'read', ['put', 'read', 'remove']],
    ['remove', 'delete', ['put', 'read', 'remove']],
  ])('says that it failed at %s, and leaves nothing behind', async (step, failedStep, calls) => {
    const bench = failing(step)
    expect(await testTarget(bench.target, signal)).toEqual({ ok: false, failedStep, message: 'refused' })
    expect(bench.calls).toEqual(calls)
  })

  test('notices that another content comes back', async () => {
    const bench = failing('other')
    expect(await testTarget(bench.target, signal)).toMatchObject({
      failedStep: 'read',
      message: 'the target returned another content than was written: check the server',
    })
    expect(bench.calls).toEqual(['put', 'read', 'remove'])
  })

  test('says that the target could not be reached, or that it was aborted', async () => {
    const unreachable = failing('put', new TargetFailure('refuses', { isUnreachable: true })).target
    expect(await testTarget(unreachable, signal)).toEqual({ ok: false, failedStep: 'connect', message: 'refuses' })
    const aborted = failing('put', new Error('too late')).target
    expect(await testTarget(aborted, AbortSignal.abort())).toMatchObject({ failedStep: 'connect', message: 'too late' })
  })

  test('does not hide a mistake of ours', async () => {
    await expect(testTarget(failing('put', new TypeError('x is not a function')).target, signal)).rejects.toThrow(
      TypeError,
    )
  })
})
