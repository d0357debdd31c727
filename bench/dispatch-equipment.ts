import { setTimeout } from 'node:timers/promises'
import { createAdminClient } from '@plantroom/client/admin'
import { createPartnerClient } from '@plantroom/client/partner'
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
  const { connections } = await createAdminClient(demo).commission(demo.orgId, demo.deviceId, {
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
  })
  const [connection] = connections
  if (!connection) throw new Error('the device was commissioned without a connection')

  const partner = createPartnerClient(demo)
  const giveUpAt = performance.now() + TIMEOUT_MS
  while ((await partner.values(connection.id)).status !== CONNECTION_STATUS.connected) {
    if (performance.now() > giveUpAt) throw new Error('the device does not connect to the equipment')
    await setTimeout(LOOK_MS)
  }
  const points = connection.datapoints.map(({ id }, register) => ({ datapointId: id, register }))
  return { connectionId: connection.id, points, writes }
}
