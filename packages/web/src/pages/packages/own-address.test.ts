import { expect, test } from 'vitest'
import { ownAddress } from './own-address.ts'

test('an address of this service is called under the name that the page is open by', () => {
  expect(ownAddress('http://127.0.0.1:8080/uploads/o/s/a.fpl?expires=1&signature=x')).toBe(
    '/uploads/o/s/a.fpl?expires=1&signature=x',
  )
})

test.each([
  'https://bucket.s3.eu-north-1.amazonaws.com/packages/a?X-Amz-Signature=x',
  'https://minio.example.com/uploads/packages/a?X-Amz-Signature=x',
])('that of a bucket stays as it is: %s', (address) => expect(ownAddress(address)).toBe(address))
