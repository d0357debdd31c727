import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from '@plantroom/testkit/free-port'
import { repeat } from '@plantroom/testkit/repetitions'
import { expect, test } from 'vitest'
import { ARCHITECTURE, containersIn } from './support/containers.ts'
import { environment, ROOT } from './support/environment.ts'
import { eventually } from './support/eventually.ts'
import { ownFolder } from './support/folder.ts'
import { equipmentAt } from './support/modbus.ts'

const MB = 1_000_000
const MOST_EDGE_MB = 180
const CHARGE_POWER = 100
/** A test that times out leaves its containers behind. */
const PATIENT_MS = 1_800_000

/** The only test of the images: it builds them and runs every program from them, without rights, as `deploy/compose` does. */
test(
  'a release has images whose programs control equipment, and survive their end',
  async () => {
    await repeat(1, async () => {
      await using own = ownFolder()
      const release = join(own.path, 'release')
      const made = spawnSync(
        process.execPath,
        [join(ROOT, 'tools/src/release.ts'), release, '--images', '--architecture', ARCHITECTURE],
        { encoding: 'utf8', env: environment({}) },
      )
      expect([made.status, made.stderr]).toEqual([0, ''])
      const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
      const archive = (name: string) => join(release, `${name}-${version}-${ARCHITECTURE}.oci.tar`)
      mkdirSync(join(own.path, 'podman'))
      await using containers = containersIn(join(own.path, 'podman'))
      const { podman } = containers
      for (const name of ['plantroom', 'plantroom-edge']) await containers.load(archive(name))
      const cloudImage = `localhost/plantroom:${version}`
      const edgeImage = `localhost/plantroom-edge:${version}`

      const [edge] = JSON.parse(await podman('image', 'inspect', edgeImage))
      expect(edge.Size / MB).toBeLessThan(MOST_EDGE_MB)
      expect(edge.Config).toMatchObject({
        User: '10001:10001',
        Volumes: { '/var/lib/plantroom': {} },
        StopSignal: 'SIGTERM',
        Labels: { 'org.opencontainers.image.version': version },
      })
      console.log(`${edgeImage}: ${(edge.Size / MB).toFixed(0)} MB`)

      const [http = 0, mqtt = 0, modbus = 0, other = 0, obix = 0] = await freePorts(5)
      const settings = (values: Record<string, string | number>) =>
        Object.entries({ PLANTROOM_HOST: '127.0.0.1', ...values }).map(([name, value]) => `--env=${name}=${value}`)
      await containers.start(
        'simulator',
        cloudImage,
        settings({
          PLANTROOM_SIMULATOR_MODBUS_PORT: modbus,
          PLANTROOM_SIMULATOR_MQTT_PORT: other,
          PLANTROOM_SIMULATOR_OBIX_PORT: obix,
        }),
        'simulate',
      )
      const data = '--volume=data:/var/lib/plantroom'
      const cloud = [data, ...settings({ PLANTROOM_PORT: http, PLANTROOM_MQTT_PORT: mqtt })]
      await containers.start('cloud', cloudImage, cloud)
      // It reaches the embedded database through its socket in the volume.
      await containers.start('worker', cloudImage, [data], 'worker')
      await eventually(async () => expect((await fetch(`http://127.0.0.1:${http}/readyz`)).status).toBe(200))
      await eventually(async () => expect(await podman('logs', 'worker')).toContain('"msg":"ready"'))
      expect(await podman('exec', 'cloud', 'ls', '-ld', '/var/lib/plantroom')).toMatch(/^drwx------ /)
      const doctor = await podman('exec', 'cloud', 'plantroom', 'doctor')
      expect([doctor, doctor.match(/^(PROBLEM|WARNING) +data folder/m)]).toEqual([
        expect.stringMatching(/^ok +worker/m),
        null,
      ])

      const { operator, partner, device } = await introduce(podman)
      await containers.start('edge', edgeImage, [
        '--volume=edge:/var/lib/plantroom',
        ...settings({ MQTT_URL: `mqtt://127.0.0.1:${mqtt}`, ...device }),
      ])
      const battery = readFileSync(join(ROOT, 'packages/simulator/demo/battery-room.yaml'), 'utf8').replaceAll(
        '15020',
        String(modbus),
      )
      writeFileSync(join(own.path, 'battery.yaml'), battery)
      await podman('cp', join(own.path, 'battery.yaml'), 'cloud:/var/lib/plantroom/battery.yaml')
      const commissioned = await eventually(() =>
        operator('commission', device.PLANTROOM_DEVICE_ID, '/var/lib/plantroom/battery.yaml', '--json'),
      )
      const [, chargePower = ''] = /"id":"([^"]+)","name":"Charge power"/.exec(commissioned) ?? []

      const register = async () => (await equipmentAt(() => modbus).holding(1, CHARGE_POWER, 1)).readInt16BE(0)
      await eventually(() => partner('dr', 'override', chargePower, '21', '--for', '10m'))
      await eventually(async () => expect(await register()).toBe(210))

      // A power cut of the controller: its volume knows the override.
      await podman('kill', '--signal=KILL', 'edge')
      await equipmentAt(() => modbus).writeRegisters(1, CHARGE_POWER, Buffer.from([0, 0]))
      await podman('start', 'edge')
      await eventually(async () => expect(await register()).toBe(210))

      // An orderly end: nothing is killed after the grace period, and the database stops with the cloud.
      for (const name of ['edge', 'worker', 'cloud', 'simulator']) await podman('stop', '--time=60', name)
      const states = (await podman('ps', '--all', '--format={{.Names}} {{.ExitCode}}')).trim().split('\n').toSorted()
      expect(states).toEqual(['cloud 0', 'edge 0', 'simulator 0', 'worker 0'])
      expect(await podman('logs', 'edge')).not.toContain('"level":60')
    })
  },
  PATIENT_MS,
)

/** Adds an organization, a site, a device and a key, with the command line of the image. */
async function introduce(podman: (...args: string[]) => Promise<string>) {
  const inCloud =
    (values: Record<string, string>) =>
    (...args: string[]) =>
      podman(
        'exec',
        ...Object.entries(values).map(([name, value]) => `--env=${name}=${value}`),
        'cloud',
        'plantroom',
        ...args,
      )
  const [, organization = ''] = /(org_\w+)/.exec(await inCloud({})('org', 'add', 'Acme Flex')) ?? []
  const operator = inCloud({ PLANTROOM_ORG: organization })
  const [, site = ''] = /(site_\w+)/.exec(await operator('site', 'add', 'Harbour 5')) ?? []
  const added = await operator('device', 'add', 'Controller 1', '--site', site)
  const [, id = '', secret = ''] = /_ID=(\S+)\nPLANTROOM_DEVICE_SECRET=(\S+)/.exec(added) ?? []
  const [key = ''] = (await operator('key', 'create', 'Market', '--permission', 'edge-device:read_write')).split('\n')
  const partner = inCloud({ PLANTROOM_ORG: organization, PLANTROOM_DEVICE: id, PLANTROOM_API_KEY: key })
  return { operator, partner, device: { PLANTROOM_DEVICE_ID: id, PLANTROOM_DEVICE_SECRET: secret } }
}
