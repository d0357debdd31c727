import { join } from 'node:path'
import { type Clock, systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import type { FastifyInstance } from 'fastify'
import { createServer } from '../../http/server.ts'
import { diskRoutes } from '../disk-routes.ts'
import { type DiskStore, openDiskStore } from '../disk-store.ts'
import { openScratch, type Scratch } from '../scratch.ts'
import { loadSigningSecret } from '../signed-address.ts'

interface DiskRig {
  files: DiskStore
  scratch: Scratch
  app: FastifyInstance
  baseUrl: string
  close(): Promise<void>
}

/** Opens a disk store with a server for its addresses. */
export async function openDiskRig(
  folder: string,
  options: { clock?: Clock; freeBytes?: () => Promise<number>; maxPackageBytes?: number } = {},
): Promise<DiskRig> {
  const { clock = systemClock, freeBytes, maxPackageBytes = 20e9 } = options
  const log = createLog('test', 'silent')
  const scratch = await openScratch(join(folder, 'files/unfinished'))
  let baseUrl = ''
  const secret = await loadSigningSecret(folder)
  const files = await openDiskStore({ folder: join(folder, 'files'), scratch, secret, clock, baseUrl: () => baseUrl })
  const app = createServer({ tls: undefined, log, clock })
  await diskRoutes(app, { disk: freeBytes ? { ...files, freeBytes } : files, maxPackageBytes, clock, log })
  baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    files,
    scratch,
    app,
    baseUrl,
    async close() {
      await app.close()
      await scratch.close()
    },
  }
}
