import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { type ImportClient, rangeOf, run } from './import-client.ts'
import { writeBytes } from './support/files.ts'
import { against, type Measurement } from './support/measurement.ts'

const BYTES = 5e9
const CUTS = 10
const ROUNDS = 3

interface Sent {
  seconds: number
  bytes: number
}

/** Measures an upload whose connections are cut ten times, against one that is not, through the same proxy. */
export async function measureCuts(client: ImportClient, service: string, folder: string): Promise<Measurement[]> {
  const path = join(folder, 'cut.fpl')
  writeBytes(path, BYTES)
  // Each upload replaces the one before it, because an organization may keep 20 GB of packages.
  const site = await client.newSite()
  const [cut, whole]: [Sent[], Sent[]] = [[], []]
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      whole.push(await uploadWith(0))
      cut.push(await uploadWith(CUTS))
    }
  } finally {
    rmSync(path, { force: true })
  }
  const seconds = (uploads: readonly Sent[]) => uploads.map((upload) => upload.seconds)
  const megabytes = (uploads: readonly Sent[]) => uploads.map(({ bytes }) => bytes / 1e6)
  const floor = `floor: the same without cuts; median of ${ROUNDS}; target: under 1.05`
  return [
    against(
      `5 GB upload, cut ${CUTS} times`,
      seconds(cut),
      's',
      seconds(whole),
      `plantroom package upload; ${floor}; ${rangeOf(seconds(whole))}`,
    ),
    // Does not depend on the disk, unlike the seconds.
    against('the same, bytes sent', megabytes(cut), 'MB', megabytes(whole), floor),
  ]

  async function uploadWith(cuts: number): Promise<Sent> {
    // Flush what the previous round left in the page cache.
    await run('sync', ['-f', folder])
    await using proxy = await cuttingProxy(new URL(service), cuts)
    const seconds = await site.uploadInParts(path, proxy.url)
    if (proxy.made() !== cuts) throw new Error(`the proxy made ${proxy.made()} of ${cuts} cuts`)
    return { seconds, bytes: proxy.passed() }
  }
}

/** Passes bytes on. Drops all its connections each time that another part of the file has passed. */
async function cuttingProxy(service: URL, cuts: number) {
  const sockets = new Set<Socket>()
  let [passed, made] = [0, 0]
  const server = createServer((caller) => {
    const target = connect(Number(service.port), service.hostname)
    for (const socket of [caller, target]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    }
    caller.on('data', (bytes) => {
      passed += bytes.length
      if (made < cuts && passed > (BYTES / (cuts + 1)) * (made + 1)) {
        made += 1
        for (const socket of sockets) socket.destroy()
      }
    })
    caller.pipe(target).pipe(caller)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    made: () => made,
    passed: () => passed,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
