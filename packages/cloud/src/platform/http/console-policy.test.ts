import { describe, expect, test } from 'vitest'
import { packageKey, type Scratch } from '../files/index.ts'
import { openS3Store } from '../files/s3-store.ts'
import { bucketOrigin, contentPolicy } from './console.ts'

describe('the origin of a bucket', () => {
  test.each([
    ['packages', 'eu-north-1', undefined],
    ['packages', 'us-east-1', undefined],
    ['packages', 'cn-north-1', undefined],
    ['packages.example.com', 'eu-north-1', undefined],
    ['packages', 'us-east-1', 'http://127.0.0.1:9000'],
    ['packages', 'us-east-1', 'https://s3.example.com/prefix/'],
  ])('is that of signed addresses: %s in %s at %s', async (bucket, region, endpoint) => {
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' }
    const store = openS3Store({ bucket, region, endpoint, credentials }, { scratch: {} as Scratch })
    const url = await store.uploadUrl(packageKey('org', 'site', 'a.fpl'), { expiresInS: 60 })
    expect(bucketOrigin({ bucket, region, endpoint })).toBe(new URL(url).origin)
    store.close()
  })
})

describe('the content policy', () => {
  test('allows only own resources, and styles with the nonce', () => {
    expect(contentPolicy({ styleNonce: 'abc', uploadsTo: undefined })).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-abc'; img-src 'self' data: blob:; " +
        "font-src 'self'; manifest-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    )
  })

  test('allows uploads to the bucket but loads nothing from it', () => {
    const policy = contentPolicy({ styleNonce: 'abc', uploadsTo: 'https://s3.example.com' })
    expect(policy).toContain("connect-src 'self' https://s3.example.com;")
    expect(policy.match(/s3\.example\.com/g)).toHaveLength(1)
  })
})
