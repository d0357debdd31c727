import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import { canConnect, freePorts } from '@plantroom/testkit/free-port'
import { type Controller, startController } from './controller.ts'
import { ROOT } from './environment.ts'
import { eventually } from './eventually.ts'
import { ownFolder } from './folder.ts'
import { HAPROXY } from './haproxy.ts'
import { installMosquitto } from './mosquitto.ts'
import { type Part, startPart } from './part.ts'
import { startPostgres } from './postgres.ts'

const ADMIN_TOKEN = 'one-admin-token-for-all-processes'

/** Two clouds behind HAProxy with the file that we ship, PostgreSQL, Mosquitto and one real controller. */
export interface RollingStack extends AsyncDisposable, Controller {
  readonly clouds: readonly [Part<{ port: number }>, Part<{ port: number }>]
  readonly baseUrl: string
  readonly admin: Client
  readonly adminToken: string
  readonly orgId: string
  readonly apiKey: string
}

export async function startRollingStack(drainS: number): Promise<RollingStack> {
  const cleanup = new AsyncDisposableStack()
  try {
    const folder = cleanup.use(ownFolder()).path
    const postgres = cleanup.use(await startPostgres(folder))
    const mosquitto = await installMosquitto(folder)
    cleanup.defer(() => mosquitto.kill())
    await mosquitto.start()
    const startCloud = () =>
      startPart<{ port: number }>('cloud', (before) => ({
        PLANTROOM_DATA: folder,
        PLANTROOM_ADMIN_TOKEN: ADMIN_TOKEN,
        DATABASE_URL: postgres.databaseUrl,
        MQTT_URL: mosquitto.cloudUrl,
        PLANTROOM_PORT: String(before?.port ?? 0),
        PLANTROOM_DRAIN_S: String(drainS),
      }))
    const clouds = [await startCloud(), await startCloud()] as const
    for (const cloud of clouds) cleanup.defer(async () => void (await cloud.kill()))
    const baseUrl = await startShippedHaproxy(cleanup, folder, [clouds[0].ready.port, clouds[1].ready.port])
    const admin = createClient(sendWithToken(baseUrl, ADMIN_TOKEN))
    const orgId = (await admin.addOrganization({ body: { name: 'Organization' } })).id
    const siteId = (await admin.addSite({ orgId, body: { name: 'Site', maintenanceRequests: true } })).id
    const permissions = ['edge-device:read_write'] as const
    const { apiKey } = await admin.createKey({ orgId, body: { name: 'Partner', permissions, siteIds: null } })
    const connect = async ({ id, secret }: { id: string; secret: string }) => {
      await mosquitto.admit({ username: id, password: secret })
      return { MQTT_URL: mosquitto.deviceUrl, NODE_EXTRA_CA_CERTS: mosquitto.certFile }
    }
    const controller = await startController(cleanup, { folder, admin, orgId, siteId, connect })
    return {
      ...{ ...controller, clouds, baseUrl, admin, adminToken: ADMIN_TOKEN, orgId, apiKey },
      [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
    }
  } catch (error) {
    await cleanup.disposeAsync()
    throw error
  }
}

/** Starts HAProxy with `deploy/haproxy.cfg`; only ports differ, and callers on this machine need no TLS. */
async function startShippedHaproxy(
  cleanup: AsyncDisposableStack,
  folder: string,
  [one, two]: readonly [number, number],
): Promise<string> {
  const [port] = await freePorts(1)
  const shipped = readFileSync(join(ROOT, 'deploy/haproxy.cfg'), 'utf8')
  const own = shipped
    .replace(/bind :443 .*$/m, `bind 127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${one}`)
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${two}`)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, own)
  const child = spawn(HAPROXY ?? 'haproxy', ['-db', '-q', '-f', file], { stdio: 'ignore' })
  const gone = once(child, 'exit')
  cleanup.defer(async () => {
    child.kill('SIGKILL')
    await gone
  })
  await eventually(() => canConnect(port ?? 0))
  return `http://127.0.0.1:${port}`
}
