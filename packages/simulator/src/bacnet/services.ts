import {
  enumerated,
  field,
  list,
  Malformed,
  object,
  objectBytes,
  objectIn,
  type Part,
  readParts,
  text,
  unsigned,
  wholeBytes,
  wholeNumber,
} from './encoding.ts'
import { type BacnetError, type BacnetObject, ERROR, propertyOf, writeProperty } from './objects.ts'

export interface BacnetDevice {
  instance: number
  name: string
  objects: readonly BacnetObject[]
}

/** The longest message that the device takes and sends. */
export const MAX_APDU = 1476

const REQUEST = 0
const SIMPLE_ACK = 0x20
const COMPLEX_ACK = 0x30
const ERROR_PDU = 0x50
const REJECT = 0x60
const ABORT = 0x71
const REJECTED = { missingField: 5, unknownService: 9 }
const SEGMENTATION_NOT_SUPPORTED = 4
const DEVICE = 8
const ANY_INSTANCE = 0x3f_ff_ff
const LOWEST_PRIORITY = 16

/** Returns the answer to a confirmed request; `undefined` for anything else. */
export function answer(device: BacnetDevice, apdu: Buffer): Buffer | undefined {
  const [kind = 0xff, , invokeId = 0, service = 0] = apdu
  if (kind >> 4 !== REQUEST || apdu.length < 4) return undefined
  const serve = SERVICES[service]
  if (!serve) return Buffer.of(REJECT, invokeId, REJECTED.unknownService)
  try {
    const result = serve(device, readParts(apdu.subarray(4)))
    if (result === 'done') return Buffer.of(SIMPLE_ACK, invokeId, service)
    if (!Buffer.isBuffer(result)) return Buffer.concat([Buffer.of(ERROR_PDU, invokeId, service), errorBytes(result)])
    if (result.length + 3 > MAX_APDU) return Buffer.of(ABORT, invokeId, SEGMENTATION_NOT_SUPPORTED)
    return Buffer.concat([Buffer.of(COMPLEX_ACK, invokeId, service), result])
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    return Buffer.of(REJECT, invokeId, REJECTED.missingField)
  }
}

type Serve = (device: BacnetDevice, parts: readonly Part[]) => Buffer | 'done' | BacnetError

const SERVICES: Readonly<Record<number, Serve>> = {
  12: readProperty,
  14: readPropertyMultiple,
  15: writePresentValue,
}

function readProperty(device: BacnetDevice, parts: readonly Part[]): ReturnType<Serve> {
  const id = objectIn(contentsOf(parts, 0))
  const property = wholeNumber(contentsOf(parts, 1))
  const index = optional(parts, 2)
  const found = find(device, id, property, index && wholeNumber(index))
  if (!Buffer.isBuffer(found)) return found
  const own = id.type === DEVICE ? device.instance : id.instance
  const element = index ? [field(2, index)] : []
  return Buffer.concat([
    field(0, objectBytes(id.type, own)),
    field(1, wholeBytes(property)),
    ...element,
    list(3, found),
  ])
}

function readPropertyMultiple(device: BacnetDevice, parts: readonly Part[]): Buffer {
  const answers: Buffer[] = []
  for (let at = 0; at < parts.length; at += 2) {
    const [about, wanted] = [parts[at], parts[at + 1]]
    if (about?.kind !== 'field' || wanted?.kind !== 'list') throw new Malformed('has no list of properties')
    const id = objectIn(about.contents)
    const results = wanted.parts.map((part) => {
      if (part.kind !== 'field' || part.number !== 0) throw new Malformed('asks for more than properties')
      const found = find(device, id, wholeNumber(part.contents), undefined)
      const result = Buffer.isBuffer(found) ? list(4, found) : list(5, errorBytes(found))
      return Buffer.concat([field(2, part.contents), result])
    })
    answers.push(field(0, about.contents), list(1, ...results))
  }
  return Buffer.concat(answers)
}

function writePresentValue({ objects }: BacnetDevice, parts: readonly Part[]): 'done' | BacnetError {
  const id = objectIn(contentsOf(parts, 0))
  const property = wholeNumber(contentsOf(parts, 1))
  const [given] = parts.flatMap((part) => (part.kind === 'list' && part.number === 3 ? part.parts : []))
  if (given?.kind !== 'value') throw new Malformed('has no value')
  const priority = optional(parts, 4)
  const found = objects.find(({ type, instance }) => type === id.type && instance === id.instance)
  if (!found) return ERROR.unknownObject
  const { number: tag, contents } = given
  return writeProperty(found, property, { tag, contents }, priority ? wholeNumber(priority) : LOWEST_PRIORITY) ?? 'done'
}

function find(
  device: BacnetDevice,
  id: { type: number; instance: number },
  property: number,
  index: number | undefined,
): Buffer | BacnetError {
  if (id.type === DEVICE) return ownProperty(device, id.instance, property, index)
  const found = device.objects.find(({ type, instance }) => type === id.type && instance === id.instance)
  if (!found) return ERROR.unknownObject
  return (index === undefined ? propertyOf(found, property) : undefined) ?? ERROR.unknownProperty
}

/** What the device says about itself, also to who does not know its instance. */
function ownProperty(
  { instance, name, objects }: BacnetDevice,
  asked: number,
  property: number,
  index: number | undefined,
): Buffer | BacnetError {
  if (asked !== instance && asked !== ANY_INSTANCE) return ERROR.unknownObject
  const ids = objects.map((each) => object(each.type, each.instance))
  const own: Readonly<Record<number, () => Buffer | undefined>> = {
    62: () => unsigned(MAX_APDU),
    70: () => text('simulated'),
    75: () => object(DEVICE, instance),
    76: () => (index === 0 ? unsigned(ids.length) : index === undefined ? Buffer.concat(ids) : ids[index - 1]),
    77: () => text(name),
    121: () => text('Plantroom'),
  }
  return own[property]?.() ?? ERROR.unknownProperty
}

function optional(parts: readonly Part[], number: number): Buffer | undefined {
  const found = parts.find((part) => part.kind === 'field' && part.number === number)
  return found?.kind === 'field' ? found.contents : undefined
}

function contentsOf(parts: readonly Part[], number: number): Buffer {
  const found = optional(parts, number)
  if (!found) throw new Malformed(`has no field ${number}`)
  return found
}

const errorBytes = ([errorClass, code]: BacnetError) => Buffer.concat([enumerated(errorClass), enumerated(code)])
