import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@plantroom/client/client'
import { createCommands } from '@plantroom/client/commands'
import { sendWithKey } from '@plantroom/client/http'
import { startDemo } from './support/demo.ts'
import { type HttpRequest, type LoadResult, load } from './support/load.ts'
import { against, alone, type Measurement } from './support/measurement.ts'
import { residentMb, startProgram, stopProgram } from './support/processes.ts'

const CONNECTIONS = 32
const ROUNDS = 7
const WARM_UP_SECONDS = 3
const SECONDS = 2
const IDLE_MS = 5_000

const floor = (name: string) => join(import.meta.dirname, 'floors', name)

/** Measures a values poll through the whole path, against a bare route and a bare hop to a second process. */
export async function benchCommand(): Promise<Measurement[]> {
  await using parts = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'plantroom-bench-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const { demo, child } = await startDemo(folder)
  parts.defer(() => stopProgram(child))
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  const idle = { cloud: residentMb(demo.pids.cloud), edge: residentMb(demo.pids.edge) }

  const connectionId = demo.connections[0]?.id ?? ''
  const commands = createCommands(createClient(sendWithKey(demo.baseUrl, demo.apiKey)), demo)
  const reply = JSON.stringify({
    reqId: crypto.randomUUID(),
    data: await commands.values(connectionId),
  })
  const route = await startProgram<{ port: number }>(floor('fastify-route.ts'), { args: [demo.apiKey, reply] })
  parts.defer(() => stopProgram(route.child))
  const peer = await startProgram<{ port: number }>(floor('tcp-peer.ts'), { args: [reply] })
  parts.defer(() => stopProgram(peer.child))
  const hop = await startProgram<{ port: number }>(floor('fastify-tcp.ts'), {
    args: [demo.apiKey, String(peer.ready.port)],
  })
  parts.defer(() => stopProgram(hop.child))

  const request = (port: number): HttpRequest => ({
    host: '127.0.0.1',
    port,
    path: `/api/orgs/${demo.orgId}/edge-device-admin/${demo.deviceId}/cmd/getTechnicalConnectionValues`,
    headers: { 'X-Api-Key': demo.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ reqId: crypto.randomUUID(), data: { id: connectionId } }),
  })
  const subjects = {
    ours: request(Number(new URL(demo.baseUrl).port)),
    route: request(route.ready.port),
    hop: request(hop.ready.port),
  }
  const results: Record<keyof typeof subjects, LoadResult[]> = { ours: [], route: [], hop: [] }
  const names = Object.keys(subjects) as (keyof typeof subjects)[]
  for (const name of names) await load(subjects[name], CONNECTIONS, WARM_UP_SECONDS)
  // Alternate, so that other load on the machine affects all of them.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of names) results[name].push(await load(subjects[name], CONNECTIONS, SECONDS))
  }
  const rates = (name: keyof typeof subjects) => results[name].map((result) => result.perSecond)
  const p50s = (name: keyof typeof subjects) => results[name].map((result) => result.p50Ms)
  const oneByOne = await load(subjects.ours, 1, SECONDS)

  const at = `${CONNECTIONS} connections, median of ${ROUNDS} rounds`
  return [
    against('values poll vs bare route', rates('ours'), '1/s', rates('route'), `${at}; target: 0.55`),
    against('values poll vs TCP hop', rates('ours'), '1/s', rates('hop'), `${at}; target: 0.77`),
    against('values poll p50 vs bare route', p50s('ours'), 'ms', p50s('route'), at),
    against('values poll p50 vs TCP hop', p50s('ours'), 'ms', p50s('hop'), at),
    alone('values poll p50, one at a time', oneByOne.p50Ms, 'ms', '1 connection'),
    alone('idle memory of the cloud', idle.cloud, 'MB', 'resident; target: under 150'),
    alone('idle memory of the edge', idle.edge, 'MB', 'resident; target: under 100'),
    alone('memory of the cloud after load', residentMb(demo.pids.cloud), 'MB', 'resident'),
    alone('memory of the edge after load', residentMb(demo.pids.edge), 'MB', 'resident'),
  ]
}
