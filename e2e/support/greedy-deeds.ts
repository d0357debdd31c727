import { randomUUID } from 'node:crypto'
import { connectMqtt } from './mqtt-client.ts'
import { askWebhook, type Neighbours, signIn, startTenantFleet, startTenantServer } from './neighbours.ts'
import { dispatchAll } from './ordinary-work.ts'
import { makeSource } from './source-package.ts'

/** One way to take too much of a service. It is repeated until the signal, and refusals are as good as answers. */
type Deed = (neighbours: Neighbours, signal: AbortSignal) => Promise<void>

const AT_ONCE = 8
const MANY_AT_ONCE = 150
const UPLOAD_BYTES = 8 * 1024 * 1024
const ROWS = 20_000
const DEADLINE_MS = 3_000

async function untilAborted(signal: AbortSignal, act: () => Promise<unknown>, atOnce = AT_ONCE): Promise<void> {
  // What a broken connection never answers must not outlast the deed.
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
  const worker = async () => {
    while (!signal.aborted) {
      await Promise.race([act().catch(() => {}), aborted])
      // A refusal must not turn the loop into one that starves this process itself.
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

const imports: Deed = async ({ service, greedy }, signal) => {
  const source = await makeSource(service.folder, 3_000, 1_000)
  const sites = await Promise.all(Array.from({ length: 4 }, (_, index) => greedy.addSite(`site ${index}`)))
  for (const site of sites) await source.uploadAs(site, 'source.fpl')
  const next = sites.values()
  const act = async () => {
    const site = next.next().value ?? greedy.site
    await site.call('POST', '/import', { filename: 'source.fpl' })
    await site.call('POST', '/export')
  }
  await untilAborted(signal, act, sites.length)
}

const conversions: Deed = async ({ greedy: { site } }, signal) => {
  const rows = Array.from(
    { length: ROWS },
    (_, row) => `${row},Tap ${row} drips,${'water '.repeat(20)},open,2026-01-01`,
  )
  const csv = ['id,title,description,state,created', ...rows].join('\n')
  const { body } = await site.call('GET', '/conversions/upload-url?filename=rows.csv')
  await fetch(body.url, { method: 'PUT', body: csv })
  const files = [{ filename: 'rows.csv', uploadId: body.uploadId }]
  const analyse = () => site.call('POST', '/conversions/analysis', { source: 'csv', files })
  const first = await analyse()
  if (first.status !== 200) throw new Error(`no conversion began: ${first.status} ${JSON.stringify(first.body)}`)
  await untilAborted(signal, analyse)
}

const uploads: Deed = async ({ greedy: { site } }, signal) => {
  const bytes = Buffer.alloc(UPLOAD_BYTES, 'x')
  await untilAborted(signal, async () => {
    const { body } = await site.uploadUrl(`${randomUUID()}.fpl`)
    await (await fetch(body.url, { method: 'PUT', body: bytes, signal })).body?.cancel()
  })
}

const servers: Deed = async ({ service, greedy }, signal) => {
  await using hanging = await startTenantServer({ hangs: true })
  await untilAborted(signal, () => askWebhook(service.admin, greedy, `${hanging.url}/${randomUUID()}`))
}

const signIns: Deed = ({ service }, signal) =>
  untilAborted(
    signal,
    () => signIn(service, { email: `${randomUUID()}@example.com`, password: 'made up' }),
    MANY_AT_ONCE,
  )

const streams: Deed = async ({ service, greedy }, signal) => {
  const { body } = await greedy.site.call('POST', '/export')
  const { orgId, apiKey, site } = greedy
  const path = `/api/orgs/${orgId}/properties/${site.siteId}/ticket-packages/jobs/${body.jobId}/events`
  await untilAborted(signal, async () => {
    const headers = { 'x-api-key': apiKey }
    const response = await fetch(service.cloud.ready.baseUrl + path, { headers, signal })
    await response.text()
  })
}

const topics: Deed = async ({ service, greedy }, signal) => {
  const { orgId, site } = greedy
  const device = await service.admin.addDevice({ orgId, body: { name: 'Flood', siteId: site.siteId } })
  const { mqttUrl } = service.cloud.ready
  await using client = await connectMqtt(mqttUrl, { username: device.id, password: device.secret })
  await untilAborted(signal, () => client.publishAsync(`made-up/${randomUUID()}`, 'x'.repeat(1_000), { qos: 1 }), 2)
}

/** Each change is recorded in the activity log of the organization, one after the other. */
const changes: Deed = ({ service, greedy: { orgId, site } }, signal) =>
  untilAborted(
    signal,
    () => service.admin.updateSite({ orgId, siteId: site.siteId, body: { name: randomUUID() } }),
    MANY_AT_ONCE,
  )

/** Half of the controllers never answer: their targets end at the deadline. */
const dispatches: Deed = async ({ service, greedy }, signal) => {
  await using _fleet = await startTenantFleet(service, greedy, { count: 200, silent: 100 })
  const { orgId, site } = greedy
  await untilAborted(signal, () => dispatchAll(site.client, { orgId, siteId: site.siteId }, DEADLINE_MS))
}

/** Everything that the greedy organization does, by name. */
export const DEEDS: Readonly<Record<string, Deed>> = {
  imports,
  conversions,
  uploads,
  servers,
  'sign-ins': signIns,
  streams,
  topics,
  changes,
  dispatches,
}
