import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { VERSION } from '@plantroom/contract/version'
import { freePorts } from '@plantroom/testkit/free-port'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startBucket } from './support/bucket.ts'
import { type Machine, makePackages, OWN } from './support/debian.ts'
import { install } from './support/debian-steps.ts'
import { eventually } from './support/eventually.ts'
import { ownFolder } from './support/folder.ts'
import { HAPROXY, startHaproxy } from './support/haproxy.ts'
import { installMosquitto, MOSQUITTO } from './support/mosquitto.ts'
import { bootDebian, missingForSystemd } from './support/systemd.ts'
import { startTcpPostgres } from './support/tcp-postgres.ts'

const TIMEOUT_MS = 600_000
const NAME = 'plantroom.example.com'
const TOKEN = 'token-of-an-operator-0123456789-0123456789'
const STOPPED = 'systemctl stop plantroom-worker plantroom-cloud; systemctl reset-failed "plantroom*" || true'

/** The installed packages, which every test gives other settings, as an operator does. */
let machine: Machine
let port = 0
let broker = 0
const parts = new AsyncDisposableStack()

const inside = (path: string) => join(machine.path, path)

/** Writes the settings, starts both units, and waits until root can use the service. */
async function start(settings: Record<string, string | number>, yaml?: string): Promise<void> {
  await machine.run(STOPPED)
  rmSync(inside('etc/plantroom/plantroom.yaml'), { force: true })
  if (yaml !== undefined) {
    writeFileSync(inside('etc/plantroom/plantroom.yaml'), yaml)
    await machine.run('chown root:plantroom /etc/plantroom/plantroom.yaml && chmod 640 /etc/plantroom/plantroom.yaml')
  }
  const lines = Object.entries({ PLANTROOM_MQTT_PORT: broker, ...settings }).map(
    ([name, value]) => `${name}=${value}\n`,
  )
  writeFileSync(inside('etc/plantroom/cloud.env'), lines.join(''))
  await machine.run('systemctl start plantroom-cloud plantroom-worker')
}

/** As root, and without any setting of its own. */
async function expectWell(): Promise<void> {
  await eventually(
    async () => expect(await machine.run('plantroom org list')).not.toContain('cannot be reached'),
    60_000,
  )
  await machine.run(`plantroom org add 'Organization ${Math.random()}'`)
  await eventually(async () => expect(await machine.run('plantroom doctor')).toMatch(/^0 problems/m), 60_000)
  const restarts = 'systemctl show --property=NRestarts --value plantroom-cloud plantroom-worker'
  expect((await machine.run(restarts)).trim().split(/\s+/)).toEqual(['0', '0'])
}

/** A certificate of an authority that the machine does not know, for a name that is not its own. */
async function addCertificate(): Promise<void> {
  const folder = ownFolder()
  onTestFinished(() => folder[Symbol.asyncDispose]())
  const openssl = (line: string) => execFileSync('openssl', line.split(' '), { cwd: folder.path, stdio: 'pipe' })
  const ec = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
  openssl(`req -x509 ${ec} -subj /CN=authority -days 90 -keyout ca.key -out ca.pem`)
  openssl(`req ${ec} -subj /CN=${NAME} -keyout key.pem -out request`)
  writeFileSync(join(folder.path, 'names'), `subjectAltName=DNS:${NAME}\n`)
  openssl('x509 -req -in request -CA ca.pem -CAkey ca.key -set_serial 1 -days 90 -extfile names -out cert.pem')
  for (const name of ['cert.pem', 'key.pem']) copyFileSync(join(folder.path, name), inside(`etc/plantroom/${name}`))
  await machine.run('chown root:plantroom /etc/plantroom/*.pem && chmod 640 /etc/plantroom/*.pem')
}

describe.skipIf(missingForSystemd() !== undefined)('the shipped units, with the settings of the pages', () => {
  beforeAll(async () => {
    const folder = parts.use(ownFolder()).path
    await makePackages(folder, VERSION, [OWN])
    machine = parts.use(await bootDebian())
    ;[port = 0, broker = 0] = await freePorts(2)
    mkdirSync(inside('etc/plantroom'))
    writeFileSync(inside('etc/plantroom/cloud.env'), `PLANTROOM_PORT=${port}\nPLANTROOM_MQTT_PORT=${broker}\n`)
    await install(machine, folder, `*_${OWN}.deb`)
  }, TIMEOUT_MS)
  afterAll(() => parts.disposeAsync(), TIMEOUT_MS)

  test('all interfaces', { timeout: TIMEOUT_MS }, async () => {
    await start({ PLANTROOM_PORT: port, PLANTROOM_HOST: '0.0.0.0' })
    await expectWell()
  })

  test('one address', { timeout: TIMEOUT_MS }, async () => {
    await start({ PLANTROOM_PORT: port, PLANTROOM_HOST: '127.0.0.2' })
    await expectWell()
  })

  test('TLS on port 443, with a certificate of an own authority', { timeout: TIMEOUT_MS }, async () => {
    await addCertificate()
    const tls = { PLANTROOM_TLS_CERT: '/etc/plantroom/cert.pem', PLANTROOM_TLS_KEY: '/etc/plantroom/key.pem' }
    await machine.run(STOPPED)
    writeFileSync(inside('etc/plantroom/cloud.env'), 'PLANTROOM_PORT=443\nPLANTROOM_HOST=0.0.0.0\n')
    // Nothing listens yet, and only the unit may open the port.
    expect(await machine.run('plantroom doctor || true')).toMatch(/^ok +http port .*is free, and the unit may open it/m)
    await start({ PLANTROOM_PORT: 443, PLANTROOM_HOST: '0.0.0.0', ...tls })
    await expectWell()
  })

  test('a token of the operator', { timeout: TIMEOUT_MS }, async () => {
    await start({ PLANTROOM_PORT: port, PLANTROOM_ADMIN_TOKEN: TOKEN })
    await expectWell()
  })

  test('plantroom.yaml instead of the environment', { timeout: TIMEOUT_MS }, async () => {
    await start({}, `cloud:\n  port: ${port}\n  host: 127.0.0.3\n  admin_token: ${TOKEN}\n`)
    await expectWell()
  })

  test('a database of the operator', { timeout: TIMEOUT_MS }, async () => {
    const folder = ownFolder()
    onTestFinished(() => folder[Symbol.asyncDispose]())
    const { databaseUrl, ...postgres } = await startTcpPostgres(folder.path)
    onTestFinished(() => postgres[Symbol.asyncDispose]())
    await start({ PLANTROOM_PORT: port, DATABASE_URL: databaseUrl })
    await expectWell()
    await machine.run(STOPPED)
  })

  test.skipIf(!existsSync(MOSQUITTO))('a broker of the operator', { timeout: TIMEOUT_MS }, async () => {
    const folder = ownFolder()
    onTestFinished(() => folder[Symbol.asyncDispose]())
    const mosquitto = await installMosquitto(folder.path)
    await mosquitto.start()
    onTestFinished(() => mosquitto.kill())
    await start({ PLANTROOM_PORT: port, MQTT_URL: mosquitto.cloudUrl })
    await expectWell()
  })

  test('a bucket', { timeout: TIMEOUT_MS }, async () => {
    const bucket = await startBucket()
    onTestFinished(() => bucket[Symbol.asyncDispose]())
    await start({ PLANTROOM_PORT: port, ...(bucket.settings as Record<string, string>) })
    await expectWell()
  })

  test.skipIf(!HAPROXY)('a proxy in front', { timeout: TIMEOUT_MS }, async () => {
    const folder = ownFolder()
    onTestFinished(() => folder[Symbol.asyncDispose]())
    const proxy = await startHaproxy(folder.path, [port])
    onTestFinished(() => proxy[Symbol.asyncDispose]())
    const { baseUrl: PLANTROOM_PUBLIC_URL } = proxy
    await start({ PLANTROOM_PORT: port, PLANTROOM_PUBLIC_URL, PLANTROOM_TRUSTED_PROXIES: '127.0.0.1' })
    await expectWell()
    expect(await machine.run('plantroom doctor')).toMatch(/^ok +public address /m)
  })

  test('a provider of sign-ins', { timeout: TIMEOUT_MS }, async () => {
    const provider = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ issuer: `http://${request.headers.host}` }))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void provider.close())
    await once(provider, 'listening')
    await start({
      ...{ PLANTROOM_PORT: port, PLANTROOM_PUBLIC_URL: `http://127.0.0.1:${port}`, PLANTROOM_OIDC_CLIENT_ID: 'x' },
      PLANTROOM_OIDC_ISSUER: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
      PLANTROOM_OIDC_CLIENT_SECRET: 'secret',
    })
    await expectWell()
    expect(await machine.run('plantroom doctor')).toMatch(/^ok +sign-in /m)
  })

  test('the port of another program, of which the doctor knows', { timeout: TIMEOUT_MS }, async () => {
    const other = createServer((_request, response) => void response.end('{"status":"ok"}')).listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    await start({ PLANTROOM_PORT: (other.address() as AddressInfo).port }).catch(() => {})
    const said = await eventually(async () => {
      const output = await machine.run('plantroom doctor || true')
      expect(output).toMatch(/^PROBLEM +unit +plantroom-cloud does not stay up .*is taken/m)
      return output
    }, 60_000)
    expect(said).toMatch(/^PROBLEM +http port .*another program answers/m)
    expect(said).toMatch(/^What to do:\n1\. http port: /m)
  })
})
