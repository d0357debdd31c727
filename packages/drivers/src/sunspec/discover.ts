import type { FoundDatapoint } from '@plantroom/contract/discovery'
import type { Discovered } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import type { Lines } from '../modbus/lines.ts'
import { type ScannedUnit, scanUnits } from '../modbus/scan-units.ts'
import { parseConfig } from './config.ts'
import { type ListedModel, type ListedPoint, listModels } from './list.ts'
import { newMemory, registersOf } from './registers.ts'
import { isValueType } from './values.ts'
import { BASES } from './walk.ts'

/** The usual ids of inverters, batteries and meters behind one controller. */
const USUAL_UNITS = '1-10'
const LONGEST_NAME = 200
const LONGEST_UNIT = 32

/** Finds the devices that describe themselves, with the points of their models that have a value. */
export function discoverDevices<Address>(
  settings: Record<string, unknown>,
  lines: Lines<Address>,
  signal: AbortSignal,
): AsyncIterable<Discovered> {
  return scanUnits(settings, {
    ...{ lines, signal, usual: USUAL_UNITS },
    parse: (each) => parseConfig({ settings: each, datapoints: [] }, lines.medium),
    ask: askDevice,
  })
}

async function* askDevice({ session, settings, name }: ScannedUnit): AsyncGenerator<Discovered> {
  const { baseAddress } = settings
  const bases = typeof baseAddress === 'number' ? [baseAddress] : BASES
  const listing = await listModels(registersOf(session, newMemory()), bases)
  if ('error' in listing) {
    yield { kind: 'warning', message: `${name}: ${listing.error}` }
    return
  }
  const about = (point: string) => {
    const found = listing.models.find(({ model }) => model === COMMON)?.points.find(({ path }) => path === point)
    return typeof found?.value === 'string' ? excerpt(found.value) : ''
  }
  const description = [about('Mn'), about('Md')].filter(Boolean).join(' ')
  const unknown = listing.models.filter((each) => each.name === undefined).map(({ model }) => model)
  yield {
    kind: 'found',
    connection: {
      name: excerpt(`${description || 'SunSpec'}, ${name}`, LONGEST_NAME),
      protocol: 'sunspec',
      settings,
      datapoints: listing.models.filter(({ model }) => model !== COMMON).flatMap(datapointsOf),
      description,
      warnings: [
        ...(listing.incomplete === undefined ? [] : [listing.incomplete]),
        ...(unknown.length === 0 ? [] : [`its models ${unknown.join(', ')} are not known here`]),
        ...listing.models.flatMap(({ model, error }) => (error === undefined ? [] : [`model ${model}: ${error}`])),
      ],
    },
  }
}

/** The model that says who made the device. */
const COMMON = 1

/** A point without a value is not implemented. */
const datapointsOf = (model: ListedModel): FoundDatapoint[] =>
  model.points.flatMap((point) => (isValueType(point.type) && point.value !== null ? [datapointOf(model, point)] : []))

function datapointOf({ model, instance }: ListedModel, { path, unit, writable, value }: ListedPoint): FoundDatapoint {
  const raw = Number(value)
  return {
    name: instance > 1 ? `${path} (${model}, ${instance})` : `${path} (${model})`,
    accessType: 'READ',
    data: { model, ...(instance > 1 && { instance }), point: path },
    ...(unit !== '' && unit.length <= LONGEST_UNIT && { unit }),
    ...(writable && { commandable: true }),
    raw: Number.isFinite(raw) ? raw : null,
    warnings: writable
      ? [
          'takes setpoints, but does not say within which bounds: to write it, set accessType READ_WRITE and writeInputData',
        ]
      : [],
  }
}
