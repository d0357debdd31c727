import { expect, test } from 'vitest'
import { ownAddress } from './send-file.ts'

test('an address of this service becomes relative', () => {
  expect(ownAddress('http://127.0.0.1:8080/uploads/o/s/a.fpl?expires=1&signature=x')).toBe(
    '/uploads/o/s/a.fpl?expires=1&signature=x',
  )
})

test.each([
  'https://bucket.s3.eu-north-1.amazonaws.com/packages/a?X-Amz-Signature=x',
  'https://minio.example.com/uploads/packages/a?X-Amz-Signature=x',
])('the address of a bucket stays unchanged: %s', (address) => expect(ownAddress(address)).toBe(address))
