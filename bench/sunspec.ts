import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { systemClock } from '@plantroom/base/clock'
import { createRegisterBank } from '@plantroom/drivers/modbus/testing/register-bank'
import { startScriptedPeer } from '@plantroom/drivers/modbus/testing/scripted-peer'
import { knownModels } from '@plantroom/drivers/sunspec/definitions'
import { putModels } from '@plantroom/drivers/sunspec/testing/device-registers'
import { createSunspec } from '@plantroom/drivers/sunspec/testing/sunspec-rig'
import { aConnection, aDatapoint } from '@plantroom/testkit/technical-system'
import { against, type Measurement } from './support/measurement.ts'

const ROUNDS = 10

/** Measures how long a device with every known model takes to be found and listed, against as many bare requests. */
export async function benchSunspec(): Promise<Measurement[]> {
  await using parts = new AsyncDisposableStack()
  const bank = createRegisterBank()
  putModels(
    bank,
    knownModels().map((model) => ({ model, values: {} })),
  )
  let requests = 0
  const peer = await startScriptedPeer()
  parts.defer(() => peer.stop())
  peer.serve((request) => {
    requests += 1
    bank.answer(request)
  })
  const settings = { host: '127.0.0.1', port: peer.port }
  const bare = connect(peer.port, '127.0.0.1')
  parts.defer(() => void bare.destroy())
  await once(bare, 'connect')

  const list = async () => {
    const { signal } = new AbortController()
    const { discover } = createSunspec({ clock: systemClock })
    let found = 0
    for await (const { kind } of discover?.({ ...settings, unitIds: [1] }, { signal }) ?? []) {
      if (kind === 'found') found += 1
    }
    if (found !== 1) throw new Error('the device was not found')
    return requests
  }
  const firstReading = async () => {
    const datapoints = [aDatapoint({ id: 'W', data: { model: 804, point: 'SoC' } })]
    const driver = createSunspec({ clock: systemClock }).connect(
      aConnection({ protocol: 'sunspec', settings, datapoints }),
    )
    await driver.open(new AbortController().signal)
    await driver.read(['W'])
    await driver.close()
  }

  const asked = await list()
  const lists = await rounds(list)
  const firsts = await rounds(firstReading)
  return [
    against(
      'SunSpec discovery',
      lists.ours,
      'ms',
      lists.floors,
      `${knownModels().length} models in ${asked} requests, with the pauses of a scan; target: below 2000`,
    ),
    against('SunSpec first reading', firsts.ours, 'ms', firsts.floors, 'of the last model, with the way there'),
  ]

  async function rounds(work: () => Promise<unknown>): Promise<{ ours: number[]; floors: number[] }> {
    const [ours, floors]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      requests = 0
      ours.push(await msOf(work))
      const count = requests
      floors.push(
        await msOf(async () => {
          for (let request = 0; request < count; request += 1) await askBare(bare)
        }),
      )
    }
    return { ours, floors }
  }
}

/** Reads two registers. */
async function askBare(socket: Socket): Promise<void> {
  socket.write(Uint8Array.of(0, 1, 0, 0, 0, 6, 1, 3, 0x9c, 0x40, 0, 2))
  await once(socket, 'data')
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}
