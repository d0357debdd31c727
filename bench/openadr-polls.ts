import { Agent, get } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { against, alone, type Measurement } from './support/measurement.ts'
import type { OpenadrBench } from './support/openadr.ts'

const ORGANIZATIONS = 50
/** The most that one may have. */
const EACH = 20
const PROGRAMS = ORGANIZATIONS * EACH
const MINUTE_MS = 60_000
const IDLE_MS = 20_000
/** Of a list with one event: the page, and the one after it. */
const PAGES = 2

/** Measures programs that are polled once a minute and have nothing new, against as many bare conditional requests. */
export async function measurePolls(bench: OpenadrBench): Promise<Measurement[]> {
  const { admin, db, operate, until } = bench
  await operate({ kind: 'add', program: 'quiet', count: 1, from: Date.now() + 48 * 3_600_000 })
  const idleFrom = await bench.cpu()
  await setTimeout(IDLE_MS)
  const idle = ((await bench.cpu()) - idleFrom) / (IDLE_MS / 100)
  for (let index = 0; index < ORGANIZATIONS; index += 1) {
    const { id } = await admin.addOrganization({ body: { name: `Bench ${index}` } })
    const names = Array.from({ length: EACH }, (_, number) => `quiet ${index} ${number}`)
    for (const name of names) await bench.follow(id, 'quiet', { name })
  }
  const polled = async (since: Date) => {
    const { rows } = await db.query('SELECT FROM openadr_program WHERE name LIKE $1 AND polled_at > $2', [
      'quiet %',
      since,
    ])
    return rows.length
  }
  await until('the first poll of every program', async () => (await polled(new Date(0))) === PROGRAMS)
  const token = await tokenOf(bench)
  const [since, before] = [new Date(), await bench.cpu()]
  await setTimeout(MINUTE_MS)
  const used = (await bench.cpu()) - before
  // A minute of a worker that is behind is no minute of all programs.
  const share = ((used / (await polled(since))) * PROGRAMS) / (MINUTE_MS / 100)
  const floor = (await bareRequests(bench, token)) / (MINUTE_MS / 100)
  const note = `worker and database, of one core; floor: as many bare conditional GETs; target: 10`
  return [
    alone('worker and database without these programs', idle, '%', 'of one core; part of the next figure'),
    against(`${PROGRAMS} programs polled once a minute, nothing new`, [share], '%', [floor], note),
  ]
}

/** The CPU of this process for the conditional requests of a poll of all programs. */
async function bareRequests({ vtn }: OpenadrBench, token: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  const pageOf = (skip: number) => `${vtn.baseUrl}/events?programID=${vtn.programs.quiet}&skip=${skip}&limit=50`
  const ask = (url: string, etag?: string) =>
    new Promise<string>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, ...(etag !== undefined && { 'if-none-match': etag }) }
      const request = get(url, { agent, headers }, (answer) => {
        answer.resume().once('end', () => resolve(answer.headers.etag ?? ''))
      })
      // The VTN closes a connection that was idle for longer than it keeps one.
      request.once('error', (error) => (request.reusedSocket ? ask(url, etag).then(resolve, reject) : reject(error)))
    })
  const etags = await Promise.all(Array.from({ length: PAGES }, (_, skip) => ask(pageOf(skip))))
  const before = process.cpuUsage()
  for (let index = 0; index < PROGRAMS; index += EACH)
    await Promise.all(
      Array.from({ length: EACH }, async () => {
        for (const [skip, etag] of etags.entries()) await ask(pageOf(skip), etag)
      }),
    )
  const { user, system } = process.cpuUsage(before)
  agent.destroy()
  return (user + system) / 1000
}

export async function tokenOf({ vtn }: OpenadrBench): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: 'ven-client', client_secret: 'ven-secret' }
  const answer = await fetch(`${vtn.baseUrl}/auth/token`, { method: 'POST', body: new URLSearchParams(form) })
  return ((await answer.json()) as { access_token: string }).access_token
}
