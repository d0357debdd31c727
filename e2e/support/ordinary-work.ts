import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type Client, createClient } from '@plantroom/client/client'
import { sendWithKey } from '@plantroom/client/http'
import { eventually } from '@plantroom/testkit/eventually'
import { PATIENCE_MS } from './eventually.ts'
import type { Tenant } from './neighbours.ts'

/** Where an organization works, as text for another process. */
interface Place {
  baseUrl: string
  orgId: string
  siteId: string
  apiKey: string
}

/** What an organization does every day, in a process of its own: what the test does beside it must not delay its clock. */
export interface OrdinaryWork extends Disposable {
  /** Works for this long, and resolves with the milliseconds of each request. */
  workFor(ms: number): Promise<number[]>
}

const PAUSE_MS = 20
const CONTROLLERS = 3

export function startOrdinaryWork(baseUrl: string, { orgId, site, apiKey }: Tenant): OrdinaryWork {
  const place: Place = { baseUrl, orgId, siteId: site.siteId, apiKey }
  const child = fork(import.meta.filename, [JSON.stringify(place)])
  return {
    async workFor(ms) {
      child.send(ms)
      const [answer] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown]
      if (!Array.isArray(answer)) throw new Error('the ordinary work has failed: see its output')
      return answer
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}

async function workFor(ms: number, client: Client, { orgId, siteId }: Place): Promise<number[]> {
  const ids = { orgId, propertyId: siteId }
  const took: number[] = []
  const timed = async (act: () => Promise<unknown>) => {
    const begun = performance.now()
    await act()
    took.push(performance.now() - begun)
  }
  for (const until = Date.now() + ms; Date.now() < until; ) {
    await timed(() => client.addRequest({ ...ids, body: { title: 'A tap drips' } }))
    await timed(() => client.listRequests({ ...ids, query: { limit: 20 } }))
    await timed(() => client.listJobs({ ...ids }))
    await timed(() => placeOnAll(client, { orgId, siteId }))
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return took
}

/** Dispatches to the controllers, and waits until they have accepted. */
async function placeOnAll(client: Client, { orgId, siteId }: Pick<Place, 'orgId' | 'siteId'>): Promise<void> {
  const dispatchId = await dispatchAll(client, { orgId, siteId })
  await eventually(async () => {
    const { counts } = await client.getDispatch({ orgId, dispatchId })
    if (counts.accepted !== CONTROLLERS) throw new Error(`the dispatch has ${JSON.stringify(counts)}`)
  }, PATIENCE_MS)
}

/** Places a setpoint on all controllers of a site for a minute. Resolves with the id of the dispatch. */
export async function dispatchAll(
  client: Client,
  { orgId, siteId }: Pick<Place, 'orgId' | 'siteId'>,
  deadlineMs = 10_000,
): Promise<string> {
  const { id } = await client.startDispatch({
    orgId,
    body: {
      idempotencyKey: randomUUID(),
      select: { siteIds: [siteId] },
      value: 1,
      from: new Date().toISOString(),
      to: new Date(Date.now() + 60_000).toISOString(),
      deadline: new Date(Date.now() + deadlineMs).toISOString(),
    },
  })
  return id
}

if (process.argv[1] === import.meta.filename) {
  const place = JSON.parse(process.argv[2] ?? '') as Place
  const client = createClient(sendWithKey(place.baseUrl, place.apiKey))
  process.on('message', async (ms: number) => process.send?.(await workFor(ms, client, place)))
}
