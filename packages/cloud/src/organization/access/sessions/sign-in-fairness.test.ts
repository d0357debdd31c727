import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTenant, call, startTestCloud } from '../../../testing/cloud.ts'
import { addPerson, fromOwnPage, PASSWORD } from '../testing/people.ts'

const OWNER = 'owner@example.com'
const GUESS = 'a password that someone guesses'
const [ATTACKER, HOME] = ['127.0.0.2', '127.0.0.3']

/** Guesses that are being checked until the test ends them. */
const guesses: (() => void)[] = []
const hashing = {
  hash: async (password: string) => `hash of ${password}`,
  async verify(stored: string, password: string) {
    if (password === GUESS) await new Promise<void>((resolve) => void guesses.push(resolve))
    return stored === `hash of ${password}`
  },
}

let cloud: Awaited<ReturnType<typeof startTestCloud>>
beforeAll(async () => {
  cloud = await startTestCloud({}, { hashing })
  await addPerson(cloud, (await addTenant(cloud, 'Organization')).orgId, OWNER, { role: 'admin' })
})
afterAll(() => cloud?.stop())

interface Answer {
  status: number | undefined
  retryAfter: string | undefined
  message: string | undefined
  device: string
}

function signIn(localAddress: string, email: string, password: string, cookie?: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...fromOwnPage(cloud), ...(cookie !== undefined && { cookie }) }
  return new Promise((resolve, reject) => {
    const sent = request(
      `${cloud.ready.baseUrl}/api/session`,
      { method: 'POST', localAddress, headers },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('end', () => {
          const device = response.headers['set-cookie']?.[1]?.split(';')[0] ?? ''
          const { message } = JSON.parse(text)
          resolve({ status: response.statusCode, retryAfter: response.headers['retry-after'], message, device })
        })
      },
    )
    sent.on('error', reject)
    sent.end(JSON.stringify({ email, password }))
  })
}

/** Sends a sign-in and resolves when it waits for its turn. */
async function wait(localAddress: string, email: string, password: string) {
  const { host, hostname, port, origin } = new URL(cloud.ready.baseUrl)
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  const body = JSON.stringify({ email, password })
  const head = [
    `Host: ${host}`,
    `Origin: ${origin}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  // Both requests arrive together: with the answer to the first, the second is there, too.
  const health = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  socket.write(`${health}POST /api/session HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`)
  await once(socket, 'data')
  await call(cloud, 'GET', '/healthz')
  const answered = once(socket, 'data').then(([data]: Buffer[]) => Number(String(data).slice(9, 12)))
  answered.catch(() => {})
  return { answered, leave: () => void socket.destroy() }
}

const endGuess = () => guesses.shift()?.()
const nextGuess = () => eventually(async () => expect(guesses).toHaveLength(1))

test('150 guesses from one network keep the owner of an account neither waiting nor locked out', async () => {
  const { device } = await signIn(HOME, OWNER, PASSWORD)
  const refused: Answer[] = []
  const attack = Array.from({ length: 150 }, async (_, index) => {
    const answer = await signIn(ATTACKER, `made-up-${index}@example.com`, GUESS)
    if (answer.status === 429) refused.push(answer)
    return answer
  })
  // One is checked and twenty wait.
  await eventually(async () => expect(refused).toHaveLength(129))
  expect(refused[0]).toMatchObject({ retryAfter: '5', message: expect.stringContaining('from your network') })

  // A known browser has a place of its own, also in the network of the attacker.
  for (let times = 0; times < 7; times += 1) {
    expect((await signIn(ATTACKER, OWNER, PASSWORD, device)).status).toBe(200)
  }
  // What is refused there without the cookie is no failure of the owner.
  for (let times = 0; times < 7; times += 1) {
    expect(await signIn(ATTACKER, OWNER, PASSWORD)).toMatchObject({ status: 429, retryAfter: '5' })
  }
  expect(guesses).toHaveLength(1)

  // A new browser in another network waits for its turn, not for the twenty.
  const fresh = await wait(HOME, OWNER, PASSWORD)
  endGuess()
  await nextGuess()
  endGuess()
  expect(await fresh.answered).toBe(200)
  fresh.leave()

  for (let left = 19; left > 0; left -= 1) {
    await nextGuess()
    endGuess()
  }
  await Promise.all(attack)
  expect((await signIn(ATTACKER, OWNER, PASSWORD)).status).toBe(200)
}, 60_000)

test('a guess whose caller leaves while it waits is not checked', async () => {
  const first = await wait(ATTACKER, 'first@example.com', GUESS)
  const second = await wait(ATTACKER, 'second@example.com', GUESS)
  const last = await wait(ATTACKER, OWNER, PASSWORD)
  second.leave()
  await call(cloud, 'GET', '/healthz')
  await nextGuess()
  endGuess()
  expect(await first.answered).toBe(401)
  expect(await last.answered).toBe(200)
  expect(guesses).toHaveLength(0)
  first.leave()
  last.leave()
})
