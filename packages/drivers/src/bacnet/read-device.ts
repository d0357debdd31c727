import { type Clock, sleep } from '@plantroom/base/clock'
import type { FoundConnection, FoundDatapoint } from '@plantroom/contract/discovery'
import { Failure } from '@plantroom/contract/failure'
import { excerpt } from '../excerpt.ts'
import { SCAN_PAUSE_MS } from '../scan-target.ts'
import { type Device, RANK } from './device.ts'
import { foundDatapoint, propertiesOfObject } from './found-datapoint.ts'
import { DESCRIBING, DEVICE, describeError, objectText, objectTypeName, PROPERTY } from './names.ts'
import type { Peer } from './network.ts'
import { Reader } from './reader.ts'
import type { ObjectId, Value } from './tags.ts'
import type { Properties } from './values.ts'

/** Of more objects, a scan reports that there are more. */
const MAX_OBJECTS = 2000
/** How many objects a device is asked for one by one, if it cannot send its list. */
const MAX_BY_INDEX = 1000
/** A list that says the same so often is not read further. */
const MAX_REPEATED = 20
/** Objects of one request. */
const TOGETHER = 8
const LONGEST_NAME = 200

interface About {
  instance: number
  peer: Peer
  /** The settings of the scan. */
  given: Record<string, unknown>
  clock: Clock
  signal: AbortSignal
}

/** Reads what a device says about itself, and its objects with names, units and values. Rejects with `offline` if it is silent. */
export async function readDevice(device: Device, about: About): Promise<FoundConnection> {
  const { instance, peer, given, clock, signal } = about
  await device.inTurn(RANK.scan, () => device.findInstance(instance))
  await device.inTurn(RANK.scan, () => device.learnLimits(instance))
  const own = { type: DEVICE, instance }
  const text = async (property: number) => {
    const found = await device.inTurn(RANK.scan, () => device.readProperty(own, property))
    return 'values' in found ? textOf(found.values) : ''
  }
  const name = await text(PROPERTY['object-name'])
  const description = [await text(DESCRIBING.vendorName), await text(DESCRIBING.modelName)].filter(Boolean).join(' ')
  const { objects, warnings } = await readObjectList(device, own, about)
  const known = objects.filter(({ type }) => objectTypeName(type))
  const others = objects.filter(({ type }) => !objectTypeName(type) && type !== DEVICE).length
  if (others > 0) warnings.push(`objects of types that a datapoint cannot have were left out: ${others}`)

  const reader = new Reader(device, instance, clock)
  const datapoints: FoundDatapoint[] = []
  const names = new Set<string>()
  for (let at = 0; at < known.length && !signal.aborted; at += TOGETHER) {
    const queries = known.slice(at, at + TOGETHER).map((object) => ({ object, properties: propertiesOfObject(object) }))
    const outcomes = await reader.readProperties(queries, RANK.scan)
    for (const [index, { object }] of queries.entries()) {
      const outcome = outcomes[index]
      const reason =
        !outcome || 'error' in outcome ? (outcome?.error ?? 'it was not read') : absence(outcome.properties)
      if (!outcome || 'error' in outcome || reason !== undefined) {
        warnings.push(`${objectText(object)} was left out: ${reason}`)
        continue
      }
      const datapoint = foundDatapoint(object, outcome.properties)
      // Names are unique in a device that keeps to the standard.
      const unique = names.has(datapoint.name) ? `${datapoint.name} (${objectText(object)})` : datapoint.name
      names.add(unique)
      datapoints.push({ ...datapoint, name: unique })
    }
    await sleep(clock, SCAN_PAUSE_MS, signal)
  }
  return {
    name: excerpt(name || `Device ${instance}`, LONGEST_NAME),
    protocol: 'bacnet-ip',
    settings: settingsFor(peer, instance, given),
    datapoints,
    description,
    warnings,
  }
}

/** Says why an object of the list has no value: some lists have objects that are not there. */
function absence(properties: Properties): string | undefined {
  const value = properties.get(PROPERTY['present-value'])
  return value && 'error' in value ? `the device ${describeError(value.error)}` : undefined
}

/** The settings of a connection to a device that a scan with these settings found. */
function settingsFor({ address, port, behind }: Peer, deviceInstance: number, given: Record<string, unknown>) {
  const { host, port: _port, network: _network, mac: _mac, deviceInstance: _instance, ...others } = given
  // A name stays what it was: its address may change.
  const isNamed = typeof host === 'string' && !host.includes('/')
  const where = host === undefined ? {} : { host: isNamed ? host : address, port }
  const [byte = 0, ...more] = behind?.mac ?? []
  const mac = more.length === 0 ? byte : Buffer.from(behind?.mac ?? []).toString('hex')
  return { ...others, ...where, deviceInstance, ...(behind && host !== undefined && { network: behind.network, mac }) }
}

function textOf(values: readonly Value[] | undefined): string {
  const [value] = values ?? []
  return value?.tag === 'text' ? excerpt(value.value, LONGEST_NAME) : ''
}

async function readObjectList(device: Device, own: ObjectId, about: About) {
  const warnings: string[] = []
  const read = (index?: number) =>
    device.inTurn(RANK.scan, () => device.readProperty(own, DESCRIBING.objectList, index))
  const counted = await read(0)
  const [count] = 'values' in counted ? (counted.values ?? []) : []
  const size = count?.tag === 'unsigned' ? count.value : undefined
  const whole = size !== undefined && size > MAX_OBJECTS ? undefined : await read()
  const list = whole && 'values' in whole ? objectsIn(whole.values ?? []) : undefined
  if (list) {
    if (list.length > MAX_OBJECTS) warnings.push(tooMany(own, list.length, MAX_OBJECTS))
    return { objects: unique(list).slice(0, MAX_OBJECTS), warnings }
  }
  if (size === undefined) throw new Failure('offline', 'it does not show the list of its objects')
  const { objects, isRepeated } = await readByIndex(read, Math.min(size, MAX_BY_INDEX), about)
  if (isRepeated) warnings.push(`the list of device ${own.instance} repeats itself after ${objects.length} objects`)
  else if (size > MAX_BY_INDEX) warnings.push(tooMany(own, size, MAX_BY_INDEX))
  return { objects, warnings }
}

/** Reads the list one by one, for a device that cannot send it in one answer. */
async function readByIndex(
  read: (index: number) => Promise<Awaited<ReturnType<Device['readProperty']>>>,
  size: number,
  { clock, signal }: About,
): Promise<{ objects: readonly ObjectId[]; isRepeated: boolean }> {
  const objects = new Map<string, ObjectId>()
  let repeated = 0
  for (let index = 1; index <= size && !signal.aborted; index += 1) {
    const found = await read(index)
    const [object] = 'values' in found ? objectsIn(found.values ?? []) : []
    const isNew = object !== undefined && !objects.has(objectText(object))
    repeated = isNew ? 0 : repeated + 1
    if (repeated >= MAX_REPEATED) return { objects: [...objects.values()], isRepeated: true }
    if (isNew) objects.set(objectText(object), object)
    await sleep(clock, SCAN_PAUSE_MS, signal)
  }
  return { objects: [...objects.values()], isRepeated: false }
}

const tooMany = ({ instance }: ObjectId, count: number, most: number) =>
  `device ${instance} says that it has ${count} objects: the first ${most} were read`

const objectsIn = (values: readonly Value[]) => values.flatMap((value) => (value.tag === 'object' ? [value.value] : []))
const unique = (objects: readonly ObjectId[]) => [...new Map(objects.map((each) => [objectText(each), each])).values()]
