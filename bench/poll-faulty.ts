import { setTimeout } from 'node:timers/promises'
import { createClient } from '@plantroom/client/client'
import { createCommands } from '@plantroom/client/commands'
import { sendWithKey } from '@plantroom/client/http'
import { startPollingEdge } from './poll-edge.ts'
import type { Demo } from './support/demo.ts'
import { type Equipment, type EquipmentRequest, startEquipment } from './support/equipment.ts'
import { type LeanPartner, openPartner } from './support/partner.ts'

/** Adjacent registers of the equipment. The first one is writable. */
export const REGISTERS = 500
export const POLL_MS = 200
/** The driver's default. */
export const TIMEOUT_MS = 1_000
/** Spread over all blocks that a poll reads, excluding the first register, which is written. */
export const TEN_SILENT = Array.from({ length: 10 }, (_, index) => 27 + index * 49)

const LOOK_MS = 5
const GIVE_UP_MS = 15_000

/** A device that polls equipment which a benchmark silences partly or completely. */
export interface FaultyEdge extends AsyncDisposable {
  equipment: Equipment
  /** The datapoint of the first register. */
  setpointId: string
  partner: LeanPartner
  /** Returns the number of datapoints with a live value from the last two poll periods, as a partner sees them. */
  countFresh(): Promise<number>
}

/** Resolves when the device polls the equipment and every register answers. */
export async function startFaultyEdge(demo: Demo, folder: string): Promise<FaultyEdge> {
  await using parts = new AsyncDisposableStack()
  const equipment = await startEquipment()
  parts.defer(() => equipment.stop())
  const edge = await startPollingEdge({
    demo,
    folder,
    equipment: { port: equipment.port, nextPoll: () => untilFound(() => findReadOfLast(equipment), 'a poll') },
    datapoints: Array.from({ length: REGISTERS }, (_, register) => ({
      name: `Point ${register}`,
      accessType: register === 0 ? 'READ_WRITE' : 'READ',
      data: { register, type: 'int16' },
    })),
    pollSeconds: POLL_MS / 1000,
  })
  parts.use(edge)
  const { deviceId, connectionId, datapointIds } = edge
  const partner = await openPartner({ ...demo, deviceId })
  parts.defer(() => partner.close())
  const client = createClient(sendWithKey(demo.baseUrl, demo.apiKey))
  const commands = createCommands(client, { orgId: demo.orgId, deviceId })

  const started = parts.move()
  return {
    equipment,
    setpointId: datapointIds[0] ?? '',
    partner,
    async countFresh() {
      const { timestamp, values } = await commands.values(connectionId)
      const oldest = Date.parse(timestamp) - 2 * POLL_MS
      return Object.values(values).filter(({ error, timestamp }) => !error && Date.parse(timestamp) >= oldest).length
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** Checks every few ms; rejects after a timeout. */
export async function untilFound<Found>(find: () => Found | undefined, what: string): Promise<Found> {
  const giveUpAt = performance.now() + GIVE_UP_MS
  for (;;) {
    const found = find()
    if (found !== undefined) return found
    if (performance.now() > giveUpAt) throw new Error(`the equipment did not see ${what} within ${GIVE_UP_MS / 1000} s`)
    await setTimeout(LOOK_MS)
  }
}

/** Returns true for an answered read of any of the device's registers. */
export const isAnsweredRead = ({ isRead, isAnswered, register }: EquipmentRequest) =>
  isRead && isAnswered && register < REGISTERS

const findReadOfLast = ({ requests }: Equipment) =>
  requests.findLast((request) => isAnsweredRead(request) && request.register + request.count === REGISTERS)
