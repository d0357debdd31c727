import { startVtnDouble, type VtnDouble } from '@plantroom/testkit/vtn-double'
import { afterEach, describe, expect, test } from 'vitest'
import { sendWithFetch } from '../testing/send-with-fetch.ts'
import { hideSecrets } from './hide-secrets.ts'
import { openVtn } from './vtn.ts'
import type { VtnFailure } from './vtn-failure.ts'

const opened: VtnDouble[] = []
afterEach(() => Promise.all(opened.splice(0).map((vtn) => vtn.close())))

const SECRET = 'k/9 ä"geheim+x'
const CALLBACK = 'a-part-of-our-address'

async function start(own: { clientSecret?: string } = {}) {
  const clientSecret = own.clientSecret ?? SECRET
  const double = await startVtnDouble({ version: '3.1', clientSecret })
  opened.push(double)
  const access = { baseUrl: double.baseUrl, version: '3.1', clientId: 'ven-client', clientSecret } as const
  const vtn = openVtn({ ...access, ownSecrets: [CALLBACK] }, { send: sendWithFetch, now: () => Date.now() })
  return { double, vtn, access }
}
const textsOf = (error: VtnFailure) => `${error.message} ${error.ask}`
const failureOf = (asked: Promise<unknown>) => asked.then(() => 'no failure', textsOf)

describe('a VTN that echoes what we send', () => {
  test.each([
    ['the secret', SECRET],
    ['the secret as in a form', new URLSearchParams({ s: SECRET }).toString()],
    ['the secret as in an address', encodeURIComponent(SECRET)],
    ['a part of our address', `http://us/${CALLBACK}`],
  ])('does not have %s shown in a failure', async (_what, echoed) => {
    const { double, vtn } = await start()
    await vtn.programs()
    double.faults.lacks = ['subscriptions']
    double.faults.distort = () => ({ title: 'Refused', detail: `you sent ${echoed}.` })
    const shown = await failureOf(vtn.subscriptions('us'))
    expect(shown).toContain('Refused: you sent ')
    expect(shown).toContain('[secret]')
    expect(shown).not.toContain(echoed)
  })

  test('does not have the token shown, in a failure or in an event, also after it was renewed', async () => {
    const { double, vtn } = await start()
    const program = double.addProgram({ programName: 'p' })
    await vtn.programs()
    const first = await vtn.token()
    double.tokens.clear()
    await vtn.programs()
    const second = await vtn.token()
    expect(second).not.toBe(first)
    double.addEvent({ programID: program.id, eventName: `from ${first} and ${second} with ${SECRET}` })
    const { items } = await vtn.events(program.id)
    expect(items).toMatchObject([{ name: 'from [secret] and [secret] with [secret]' }])
    double.faults.lacks = ['vens']
    double.faults.distort = () => ({ title: `Bearer ${first}`, detail: `Bearer ${second}` })
    const shown = await failureOf(vtn.ensureVen('us'))
    expect(shown).toContain('Bearer [secret]: Bearer [secret]')
  })

  test('does not have the secret shown when it gives no token', async () => {
    const { double, access } = await start()
    double.faults.distort = (body) => ({ ...(body as object), error: 'invalid_client', title: `not ${SECRET}` })
    const wrong = openVtn({ ...access, clientId: 'other' }, { send: sendWithFetch, now: () => Date.now() })
    const shown = await failureOf(wrong.programs())
    expect(shown).toContain('not [secret]')
  })

  test('names things as a short secret is called, and has it hidden in failures as a word', async () => {
    const { double, vtn } = await start({ clientSecret: 'flex' })
    const program = double.addProgram({ programName: 'flex' })
    double.addEvent({ programID: program.id, eventName: 'flex' })
    expect((await vtn.programs()).items).toMatchObject([{ name: 'flex' }])
    expect((await vtn.events(program.id)).items).toMatchObject([{ name: 'flex' }])
    double.faults.lacks = ['vens']
    double.faults.distort = () => ({ title: 'the secret flex is not flexible' })
    expect(await failureOf(vtn.ensureVen('us'))).toContain('the secret [secret] is not flexible')
  })
})

describe('an answer', () => {
  const answer = (body: string) => ({ status: 400, headers: { location: `/?s=${SECRET}` }, body })
  const { failure } = hideSecrets([SECRET, '12345678'])

  test.each([
    ['as JavaScript writes it', JSON.stringify({ detail: SECRET })],
    ['with escaped slashes', JSON.stringify({ detail: SECRET }).replaceAll('/', '\\/')],
    ['in ASCII', JSON.stringify({ detail: SECRET }).replace('ä', '\\u00e4')],
  ])('of JSON has no secret, %s', (_what, body) => {
    expect(JSON.parse(failure(answer(body)).body)).toEqual({ detail: '[secret]' })
  })

  test('keeps its numbers, and has no secret in its headers or where it is not JSON', () => {
    expect(JSON.parse(failure(answer('{"a":12345678,"b":"12345678"}')).body)).toEqual({ a: 12345678, b: '[secret]' })
    expect(failure(answer(`<p>${SECRET}</p>`))).toEqual({
      ...{ status: 400, body: '<p>[secret]</p>' },
      headers: { location: '/?s=[secret]' },
    })
    const deep = `${'['.repeat(100_000)}"${'12345678'}"${']'.repeat(100_000)}`
    expect(failure(answer(deep)).body).not.toContain('12345678')
  })
})
