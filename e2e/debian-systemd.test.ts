import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '@plantroom/contract/version'
import { freePorts } from '@plantroom/testkit/free-port'
import { repeat } from '@plantroom/testkit/repetitions'
import { describe, expect, test } from 'vitest'
import { makePackages, OWN } from './support/debian.ts'
import {
  addDevice,
  asPartner,
  commandLine,
  commission,
  install,
  limitOf,
  startEdge,
  startSimulator,
} from './support/debian-steps.ts'
import { eventually } from './support/eventually.ts'
import { ownFolder } from './support/folder.ts'
import { equipmentAt } from './support/modbus.ts'
import { bootDebian, missingForSystemd } from './support/systemd.ts'

const TIMEOUT_MS = 600_000
const HELD_KW = 12

describe.skipIf(missingForSystemd() !== undefined)('Debian packages under systemd', () => {
  test(
    'the hardened units control equipment, survive kills and restarts, and operators see what they see',
    {
      timeout: TIMEOUT_MS,
    },
    () =>
      repeat(1, async () => {
        await using cleanup = new AsyncDisposableStack()
        const folder = cleanup.use(ownFolder()).path
        await makePackages(folder, VERSION, [OWN])
        const machine = cleanup.use(await bootDebian())
        const [port = 0, broker = 0, modbus = 0, mqtt = 0, obix = 0] = await freePorts(5)
        const equipment = equipmentAt(() => modbus)
        mkdirSync(join(machine.path, 'etc/plantroom'))
        const settings = `PLANTROOM_PORT=${port}\nPLANTROOM_MQTT_PORT=${broker}\n`
        writeFileSync(join(machine.path, 'etc/plantroom/cloud.env'), settings)
        await install(machine, folder, `*_${OWN}.deb`)
        await eventually(async () => expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200))

        // As root and without any setting, as an operator types them.
        const doctor = () => machine.run('plantroom doctor')
        await eventually(async () => expect(await doctor()).toMatch(/^ok +worker /m))
        expect(await doctor()).toMatch(/^0 problems/m)
        expect(await doctor()).toMatch(/^ok +data folder +\/var\/lib\/plantroom can be written/m)
        expect(await machine.run('plantroom org list')).toContain('no organizations yet')
        await machine.run('plantroom backup /var/tmp/a.backup && plantroom backup - --unencrypted >/root/b.backup')
        expect(await machine.run('plantroom backup verify /root/b.backup')).toContain('complete and undamaged')
        await expect(machine.run('plantroom backup /root/a.backup')).rejects.toThrow(
          'plantroom cannot write /root/a.backup.partial (EACCES)',
        )

        // The log belongs to another group than the service.
        await machine.run('plantroom support bundle /var/tmp/support.tar.gz')
        expect(await machine.run('tar -xzOf /var/tmp/support.tar.gz --wildcards "*plantroom-cloud*"')).toContain(
          '"ready"',
        )

        await startSimulator(machine, { modbus, mqtt, obix })
        const plantroom = commandLine(machine, port)
        const device = await addDevice(plantroom, 'Controller')
        await startEdge(machine, device, broker)
        await commission(machine, plantroom, device, modbus)
        expect(await machine.run('plantroom edge doctor')).toMatch(/^0 problems/m)

        const before = await limitOf(equipment)
        await plantroom(`dr override ${device.datapoint} ${HELD_KW} --for 60s`, asPartner(device))
        await eventually(async () => expect(await limitOf(equipment)).toBe(HELD_KW))
        await machine.run('systemctl kill -s KILL plantroom-edge plantroom-cloud plantroom-worker')
        const values = () => plantroom(`dr values ${device.connection} --json`, asPartner(device))
        await eventually(async () => expect(await values()).toContain('demand-response'))
        expect(await limitOf(equipment)).toBe(HELD_KW)
        await machine.run('systemctl restart plantroom-edge plantroom-cloud plantroom-worker')
        await eventually(async () => expect(await values()).toContain('demand-response'))
        expect(await limitOf(equipment)).toBe(HELD_KW)
        // Only the watchdog can wake a halted controller, which then releases what has ended.
        await machine.run('kill -STOP "$(systemctl show -p MainPID --value plantroom-edge)"')
        await eventually(async () => expect(await limitOf(equipment)).toBe(before), 120_000)
        expect(await machine.run('journalctl -u plantroom-edge')).toContain("Failed with result 'watchdog'")
        await eventually(async () => expect(await doctor()).toMatch(/^0 problems/m))
        expect(await machine.run('systemctl --failed --no-legend list-units "plantroom*"')).toBe('')
        const security = await machine.run(
          'systemd-analyze security --no-pager plantroom-cloud plantroom-worker plantroom-edge',
        )
        expect(security.match(/^plantroom-\S+ +[\d.]+ OK /gm)).toHaveLength(3)
      }),
  )
})
