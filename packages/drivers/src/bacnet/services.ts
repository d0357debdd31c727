import {
  ANY_INSTANCE,
  closing,
  concat,
  encodeContext,
  Malformed,
  type ObjectId,
  objectId,
  objectOf,
  opening,
  TagReader,
  unsigned,
  unsignedOf,
  type Value,
} from './tags.ts'

/** What one property holds, or the error that the device has for it. `undefined` for something more complex than a list of values. */
export type Found = { values: readonly Value[] | undefined } | { error: PropertyError }

export interface PropertyError {
  errorClass: number
  code: number
}

/** The properties of one object that are read together. */
export interface Query {
  object: ObjectId
  properties: readonly number[]
}

export const sameObject = (a: ObjectId, b: ObjectId) => a.type === b.type && a.instance === b.instance

export function encodeReadProperty(object: ObjectId, property: number, index?: number): Uint8Array {
  const element = index === undefined ? [] : encodeContext(2, unsigned(index))
  return concat(encodeContext(0, objectId(object)), encodeContext(1, unsigned(property)), element)
}

/** Reads the answer to `encodeReadProperty`. Throws `Malformed` if it is about something else. */
export function readPropertyAck(data: Uint8Array, object: ObjectId, property: number): Found {
  const reader = new TagReader(data)
  const [about, which] = [objectOf(reader.context(0)), unsignedOf(reader.context(1))]
  // The instance that stands for any device is answered with that of the device.
  const isAsked = sameObject(about, object) || (about.type === object.type && object.instance === ANY_INSTANCE)
  if (!isAsked || which !== property) throw new Malformed('is about something that was not asked')
  reader.optionalContext(2)
  reader.open(3)
  return { values: reader.listUntilClose(3) }
}

export function encodeReadMultiple(queries: readonly Query[]): Uint8Array {
  return concat(
    ...queries.flatMap(({ object, properties }) => [
      encodeContext(0, objectId(object)),
      opening(1),
      ...properties.map((property) => encodeContext(0, unsigned(property))),
      closing(1),
    ]),
  )
}

/** Reads the answer to `encodeReadMultiple`: what was found for each property, by object, in the order of the answer. */
export function readMultipleAck(data: Uint8Array): readonly { object: ObjectId; found: ReadonlyMap<number, Found> }[] {
  const reader = new TagReader(data)
  const objects: { object: ObjectId; found: Map<number, Found> }[] = []
  while (!reader.isAtEnd) {
    const entry = { object: objectOf(reader.context(0)), found: new Map<number, Found>() }
    reader.open(1)
    while (!reader.isNext('closing', 1)) {
      const property = unsignedOf(reader.context(2))
      reader.optionalContext(3)
      entry.found.set(property, readFound(reader))
    }
    reader.close(1)
    objects.push(entry)
  }
  return objects
}

function readFound(reader: TagReader): Found {
  if (reader.isNext('opening', 5)) {
    reader.open(5)
    const error = readError(reader)
    reader.close(5)
    return { error }
  }
  reader.open(4)
  return { values: reader.listUntilClose(4) }
}

function readError(reader: TagReader): PropertyError {
  const [errorClass, code] = [reader.value(), reader.value()]
  if (errorClass.tag !== 'enumerated' || code.tag !== 'enumerated') throw new Malformed('has an error without a code')
  return { errorClass: errorClass.value, code: code.value }
}

/** Reads what follows the header of an error. Some services wrap it in a list. */
export function readErrorData(data: Uint8Array): PropertyError {
  const reader = new TagReader(data)
  if (reader.isNext('opening', 0)) reader.open(0)
  return readError(reader)
}

/** `value` is encoded. */
export interface PropertyWrite {
  object: ObjectId
  property: number
  value: Uint8Array
  priority: number
}

export function encodeWriteProperty({ object, property, value, priority }: PropertyWrite): Uint8Array {
  return concat(
    encodeReadProperty(object, property),
    opening(3),
    value,
    closing(3),
    encodeContext(4, unsigned(priority)),
  )
}

export interface Subscription {
  processId: number
  object: ObjectId
  lifetimeSeconds: number
}

/** Asks for confirmed notifications: the device repeats one that was lost. */
export function encodeSubscribe({ processId, object, lifetimeSeconds }: Subscription): Uint8Array {
  return concat(
    encodeContext(0, unsigned(processId)),
    encodeContext(1, objectId(object)),
    encodeContext(2, Uint8Array.of(1)),
    encodeContext(3, unsigned(lifetimeSeconds)),
  )
}

export interface Notification {
  processId: number
  object: ObjectId
  found: ReadonlyMap<number, Found>
}

export function readNotification(data: Uint8Array): Notification {
  const reader = new TagReader(data)
  const processId = unsignedOf(reader.context(0))
  reader.context(1)
  const object = objectOf(reader.context(2))
  reader.context(3)
  const found = new Map<number, Found>()
  reader.open(4)
  while (!reader.isNext('closing', 4)) {
    const property = unsignedOf(reader.context(0))
    reader.optionalContext(1)
    reader.open(2)
    found.set(property, { values: reader.listUntilClose(2) })
    reader.optionalContext(3)
  }
  reader.close(4)
  return { processId, object, found }
}

/** Asks the device with this instance, or every device, to say where it is. */
export const encodeWhoIs = (instance?: number) =>
  instance === undefined
    ? new Uint8Array()
    : concat(encodeContext(0, unsigned(instance)), encodeContext(1, unsigned(instance)))

/** Reads the instance of a device that says where it is. */
export function readIAm(data: Uint8Array): number {
  const id = new TagReader(data).value()
  if (id.tag !== 'object') throw new Malformed('does not say which device it is')
  return id.value.instance
}
