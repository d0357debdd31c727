import type { CommissionedDatapoint } from '@plantroom/contract/commissioning'
import { fillTemplate, sampleAnswers, type Template } from '@plantroom/contract/templates'
import { startDevice } from '@plantroom/drivers/bacnet/testing/device-simulator'
import { presentValue, simulatedObject } from '@plantroom/drivers/bacnet/testing/objects'
import type { SimulatedTemplate } from '@plantroom/simulator/template'

const START = 20

/** Starts a BACnet device that has the objects of a template. */
export async function startBacnetTemplate(template: Template): Promise<SimulatedTemplate> {
  const datapoints = filled(template, {}).datapoints
  const objects = new Map(
    datapoints.map((datapoint) => {
      const object = String(datapoint.data.object)
      return [object, simulatedObject(object, { fallback: object.startsWith('binary') ? 0 : START })] as const
    }),
  )
  const device = await startDevice(objects)
  const answers = { host: '127.0.0.1', deviceInstance: device.instance }
  const connection = filled(template, answers)
  const objectOf = (name: string) => datapoints.find((datapoint) => datapoint.name === name)?.data.object
  return {
    host: answers.host,
    port: device.port,
    answers,
    connection: { ...connection, settings: { ...connection.settings, port: device.port } },
    raw(name) {
      const object = objects.get(String(objectOf(name)))
      return object && presentValue(object)
    },
    stop: () => device.stop(),
  }
}

function filled(
  template: Template,
  answers: object,
): {
  protocol: 'bacnet-ip'
  name: string
  settings: Record<string, unknown>
  datapoints: readonly CommissionedDatapoint[]
} {
  const { file } = fillTemplate(template, { ...sampleAnswers(template), ...answers })
  const [connection] = file?.connections ?? []
  if (!connection) throw new Error(`${template.name} cannot be filled in`)
  return { ...connection, protocol: 'bacnet-ip' }
}
