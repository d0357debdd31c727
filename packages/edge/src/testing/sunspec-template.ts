import type { Template } from '@plantroom/contract/templates'
import { createRegisterBank } from '@plantroom/drivers/modbus/testing/register-bank'
import { startScriptedPeer } from '@plantroom/drivers/modbus/testing/scripted-peer'
import { definitionOf } from '@plantroom/drivers/sunspec/definitions'
import { pointAt, putModels } from '@plantroom/drivers/sunspec/testing/device-registers'
import { type SimulatedTemplate, simulatedPoints } from '@plantroom/simulator/template'

interface Address {
  model: number
  point: string
}

/** Starts a device that has the SunSpec models of a template. Scale factors are 0. */
export async function startSunspecTemplate(template: Template): Promise<SimulatedTemplate> {
  const points = simulatedPoints(template, {}).points.map(({ datapoint, raw }) => ({
    ...(datapoint.data as unknown as Address),
    name: datapoint.name,
    raw,
  }))
  const bank = createRegisterBank()
  const models = [...new Set(points.map(({ model }) => model))].map((model) => {
    const own = points.filter((point) => point.model === model)
    const scales = own.flatMap(
      ({ point }) => definitionOf(model)?.points.find(({ name }) => name === point)?.scale ?? [],
    )
    return {
      model,
      values: Object.fromEntries([
        ...scales.map((scale) => [scale, 0] as const),
        ...own.map(({ point, raw }) => [point, raw] as const),
      ]),
    }
  })
  const places = putModels(bank, models)
  const peer = await startScriptedPeer()
  peer.serve(bank.answer)
  const answers = { host: '127.0.0.1', port: peer.port }
  return {
    ...answers,
    answers,
    connection: simulatedPoints(template, answers).connection,
    raw(name) {
      const point = points.find((each) => each.name === name)
      const place = places.find(({ model }) => model === point?.model)
      return point && place && pointAt(bank, place, point.point)
    },
    stop: () => peer.stop(),
  }
}
