import { createManualClock } from '@plantroom/testkit/manual-clock'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { createOperatorCheck } from './operator-check.ts'

const NEW = 'new-token-0123456789-0123456789-012'
const OLD = 'old-token-0123456789-0123456789-012'

function open(tokens: string[]) {
  const clock = createManualClock()
  const check = createOperatorCheck({ tokens, clock })
  const app = Fastify({ trustProxy: true })
  app.get('/', async (request, reply) => {
    const refusal = check(request, reply)
    return reply.send({ kind: refusal?.kind ?? 'operator' })
  })
  return {
    clock,
    async ask(token: string, from = '198.51.100.7') {
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': from }
      const { headers: answered, body } = await app.inject({ url: '/', headers })
      return { kind: JSON.parse(body).kind as string, retryAfter: answered['retry-after'] }
    },
  }
}

describe('the admin token', () => {
  test('may be the new one or the previous one during a rotation, and no other', async () => {
    const { ask } = open([NEW, OLD])
    expect((await ask(NEW)).kind).toBe('operator')
    expect((await ask(OLD)).kind).toBe('operator')
    expect((await ask(`${NEW}x`)).kind).toBe('unauthenticated')
    const after = open([NEW])
    expect((await after.ask(OLD)).kind).toBe('unauthenticated')
  })

  test('that is wrong answers 429 after 20 in a minute from one network; the right one always works', async () => {
    const { ask, clock } = open([NEW])
    for (let time = 0; time < 20; time += 1) expect((await ask('wrong')).kind).toBe('unauthenticated')
    expect(await ask('wrong')).toEqual({ kind: 'tooMany', retryAfter: '60' })
    expect((await ask('wrong', '198.51.100.8')).kind).toBe('unauthenticated')
    expect((await ask(NEW)).kind).toBe('operator')
    clock.advanceNow(59_000)
    expect(await ask('wrong')).toEqual({ kind: 'tooMany', retryAfter: '1' })
    clock.advanceNow(1_000)
    expect((await ask('wrong')).kind).toBe('unauthenticated')
  })
})
