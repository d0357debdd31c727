import { isCampaign, repeat } from '@plantroom/testkit/repetitions'
import { describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { ownFolder } from './support/folder.ts'
import { reportsOf } from './support/override-reports.ts'
import { startPart } from './support/part.ts'
import { checkOutPrevious } from './support/previous-version.ts'
import { run } from './support/run.ts'
import { type Stack, startStack } from './support/stack.ts'

const setpoint = async (stack: Stack) => (await stack.equipment.holding(1, 100, 1)).readInt16BE()

async function place(stack: Stack, value: number): Promise<string> {
  const [from, to] = [Date.now(), Date.now() + 600_000]
  return eventually(async () => {
    const datapointId = stack.datapointId('Charge power')
    const { status, body } = await stack.partner.override({ datapointId, value, from, to })
    expect(status, body.message).toBe(200)
    return body.data.id
  })
}

/** Commissioning is part of the stack. Overrides, reads the register, cancels, and reads the audit. */
async function overrideAndCancel(stack: Stack): Promise<void> {
  const before = await setpoint(stack)
  const id = await place(stack, 20)
  await eventually(async () => expect(await setpoint(stack)).toBe(200))
  const values = await stack.partner.values(stack.connectionId('Inverter'))
  expect(values.body.data.values[stack.datapointId('Charge power')]).toMatchObject({ lockedBy: 'demand-response' })
  expect((await stack.partner.cancel(id)).status).toBe(200)
  await eventually(async () => expect(await setpoint(stack)).toBe(before))
  await eventually(async () => {
    const reports = (await reportsOf(stack)).filter(({ overrideId }) => overrideId === id)
    expect(reports.map(({ phase, reason }) => `${phase} ${reason}`)).toEqual(['applied window', 'released cancelled'])
  })
}

describe.runIf(isCampaign)('neighbouring versions', { timeout: 600_000 }, () => {
  test('an earlier controller works with this cloud, is updated while it holds, and refuses to go back', async () => {
    await repeat(1, async () => {
      await using folder = ownFolder()
      const previous = await checkOutPrevious(folder.path)
      await using stack = await startStack({ edgeProgram: previous.edge })
      await overrideAndCancel(stack)
      const { devices } = await stack.admin.listDevices({ orgId: stack.orgId })
      expect(devices[0]?.software).toEqual({ version: '', protocol: 1, fits: 'yes' })

      const before = await setpoint(stack)
      const id = await place(stack, 30)
      await eventually(async () => expect(await setpoint(stack)).toBe(300))
      await stack.edge.stop()
      const settings = {
        PLANTROOM_DATA: stack.folder,
        MQTT_URL: stack.cloud.ready.mqttUrl,
        PLANTROOM_DEVICE_ID: stack.deviceId,
        PLANTROOM_DEVICE_SECRET: stack.deviceSecret,
      }
      const updated = await startPart('edge', () => settings)
      try {
        await eventually(async () => {
          const { devices: now } = await stack.admin.listDevices({ orgId: stack.orgId })
          expect(now[0]).toMatchObject({ online: true, software: { protocol: 2, fits: 'yes' } })
        })
        expect(await setpoint(stack)).toBe(300)
        expect((await stack.partner.cancel(id)).status).toBe(200)
        await eventually(async () => expect(await setpoint(stack)).toBe(before))
        await overrideAndCancel(stack)
      } finally {
        await updated.stop()
      }
      const back = await run(process.execPath, [previous.edge], settings)
      expect(back.code).toBe(1)
      expect(back.stderr).toMatch(/written by a newer version \(\d+, this one knows \d+\); update Plantroom/)
    })
  })

  test('this controller works with an earlier cloud', async () => {
    await repeat(1, async () => {
      await using folder = ownFolder()
      const previous = await checkOutPrevious(folder.path)
      await using stack = await startStack({ cloudProgram: previous.cloud })
      await overrideAndCancel(stack)
      const { devices } = await stack.admin.listDevices({ orgId: stack.orgId })
      expect(devices[0]).toMatchObject({ online: true })
      expect(devices[0]).not.toHaveProperty('software')
    })
  })
})
