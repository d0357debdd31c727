import { describe, expect, test } from 'vitest'
import { newId } from './ids.ts'
import { redact } from './redact.ts'
import { scrubText } from './support/scrub.ts'

const HEX = '4f1c9a7e5b3d2c1a0f9e8d7c6b5a493827160594'

describe('a report never contains', () => {
  test.each([
    ['an API key', 'refused plr_k3j4h5g6f7d8_9s8d7f6g5h4j3k2l1p0o9i8u7y6t5r', /plr_|9s8d7f/],
    ['an admin token', 'used pla_o02k3j4h5g6f7d89s8d7f6g5h4j3k2l', /o02k3/],
    ['the secret of a webhook', 'signed with whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', /MfKQ/],
    ['a bearer token', 'authorization: Bearer abc.def-ghi', /abc\.def/],
    ['a password in an address', 'connect mqtt://controller:hunter2@broker.example:1883 failed', /hunter2/],
    ['a password of a setting', 'bad setting password=hunter2', /hunter2/],
    ['a password in JSON', '{"password":"hunter2"}', /hunter2/],
    ['the token of a link', 'opened https://plantroom.example/setup#Zk3vT9-qLmN', /Zk3v/],
    ['the signature of an address', 'GET /downloads/x/y?expires=1&signature=0a1b2c3d', /0a1b2c3d/],
    ['a long random text', `device secret ${HEX}`, /4f1c9a/],
    ['a mail address', 'could not mail Mari.Maasikas+x@example.ee today', /mari|maasikas|example\.ee/i],
    ['a mail address with other letters', 'from õnne@näide.ee', /õnne|näide/],
  ])('%s', (_what, text, secret) => {
    expect(redact(text)).not.toMatch(secret)
  })
})

test.each(['a-', '@', 'a=', '#', 'a:/', '"', '=(', '\\"', 'a1'])(
  'a hostile text of %s is redacted as any other',
  (part) => {
    const text = scrubText(`${part.repeat(100_000)} password=hunter2`)
    expect(text).not.toContain('hunter2')
    expect(text.length).toBeLessThan(20_000)
  },
)

test('a text that is too long is cut between two words, so that no half of a secret stays', () => {
  const text = `${'word '.repeat(3276)}plr_k3j4h5g6f7d8_9s8d7f6g5h4j3k2l1p0o9i8u7y6t5r`
  expect(redact(text)).toBe(`${'word '.repeat(3276)}…`)
})

test('ids, addresses of equipment and words stay readable', () => {
  const text = `the connection to ${newId('dev')} failed: connect ECONNREFUSED 10.20.30.40:502 at 2026-11-16T08:00:00.000Z`
  expect(redact(text)).toBe(text)
})
