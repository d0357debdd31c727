import { setTimeout } from 'node:timers/promises'
import { createClient } from '@plantroom/client/client'
import { createCommands } from '@plantroom/client/commands'
import { sendWithKey, sendWithToken } from '@plantroom/client/http'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { CONNECTION_STATUS } from '@plantroom/contract/values'
import type { Demo } from './support/demo.ts'
import type { Equipment } from './support/equipment.ts'

const POINTS = 8
const LOOK_MS = 50
const TIMEOUT_MS = 10_000

/** Equipment of the benchmark, as the device knows it. */
export interface BenchEquipment {
  connectionId: string
  points: readonly { datapointId: string; register: number }[]
  writes: Equipment['writes']
}

/** Commissions the equipment on the demo's device. Resolves when the device is connected to it. */
export async function commissionEquipment(demo: Demo, { port, writes }: Equipment): Promise<BenchEquipment> {
  const file: CommissioningFile = {
    technicalSystem: 'Bench',
    connections: [
      {
        name: 'Bench equipment',
        protocol: 'modbus-tcp',
        settings: { host: '127.0.0.1', port },
        datapoints: Array.from({ length: POINTS }, (_, register) => ({
          name: `Setpoint ${register}`,
          accessType: 'READ_WRITE',
          data: { register, type: 'int16' },
        })),
      },
    ],
  }
  const { baseUrl, adminToken, apiKey, orgId, deviceId } = demo
  const admin = createClient(sendWithToken(baseUrl, adminToken))
  const { connections } = await admin.commission({ orgId, deviceId, body: file })
  const [connection] = connections
  if (!connection) throw new Error('the device was commissioned without a connection')

  const commands = createCommands(createClient(sendWithKey(baseUrl, apiKey)), { orgId, deviceId })
  const giveUpAt = performance.now() + TIMEOUT_MS
  while ((await commands.values(connection.id)).status !== CONNECTION_STATUS.connected) {
    if (performance.now() > giveUpAt) throw new Error('the device does not connect to the equipment')
    await setTimeout(LOOK_MS)
  }
  const points = connection.datapoints.map(({ id }, register) => ({ datapointId: id, register }))
  return { connectionId: connection.id, points, writes }
}
