import { SERVICE } from '../apdu.ts'
import { DESCRIBING, DEVICE, objectText, PROPERTY } from '../names.ts'
import {
  closing,
  concat,
  encodeContext,
  encodeValue,
  type ObjectId,
  objectId,
  objectOf,
  opening,
  TagReader,
  unsigned,
  unsignedOf,
} from '../tags.ts'
import { encodeProperty, type SimulatedObject, writeProperty } from './objects.ts'

/** What the simulated device holds. */
export interface DeviceState {
  instance: number
  maxApdu: number
  objects: ReadonlyMap<string, SimulatedObject>
  readsMultiple: boolean
  /** The whole request fails if one of its objects does not exist. */
  failsAsAWhole: boolean
  offersCov: boolean
  /** What it says of itself, by property. */
  texts?: Readonly<Record<number, string>>
  /** How many objects it says that it has; the truth unless stated. */
  claims?: number
}

/** What a request led to. An object that is silent makes the whole request silent. */
export type Outcome =
  | { kind: 'result'; data: Uint8Array }
  | { kind: 'done' }
  | { kind: 'error'; code: number; errorClass: number }
  | { kind: 'reject'; reason: number }
  | { kind: 'silence' }
  | { kind: 'subscribe'; processId: number; object: SimulatedObject; lifetimeSeconds: number | undefined }
  | { kind: 'written'; object: SimulatedObject }

const ANY = 0x3f_ff_ff
const UNKNOWN_OBJECT: Outcome = { kind: 'error', errorClass: 1, code: 31 }
const UNKNOWN_PROPERTY: Outcome = { kind: 'error', errorClass: 2, code: 32 }

export function serve(state: DeviceState, service: number, data: Uint8Array): Outcome {
  const reader = new TagReader(data)
  switch (service) {
    case SERVICE.readProperty:
      return readOne(state, objectOf(reader.context(0)), unsignedOf(reader.context(1)), reader.optionalContext(2))
    case SERVICE.readPropertyMultiple:
      return state.readsMultiple ? readMany(state, reader) : { kind: 'reject', reason: 9 }
    case SERVICE.writeProperty:
      return write(state, reader)
    case SERVICE.subscribeCov:
      return state.offersCov ? subscribe(state, reader) : { kind: 'reject', reason: 9 }
    default:
      return { kind: 'reject', reason: 9 }
  }
}

function readOne(state: DeviceState, id: ObjectId, property: number, index: Uint8Array | undefined): Outcome {
  const found = isObjectList(id, property) ? objectList(state, index && unsignedOf(index)) : find(state, id, property)
  if (!(found instanceof Uint8Array)) return found
  const own = id.type === DEVICE ? { type: DEVICE, instance: state.instance } : id
  return {
    kind: 'result',
    data: concat(
      ...[encodeContext(0, objectId(own)), encodeContext(1, unsigned(property))],
      ...[index ? encodeContext(2, index) : [], opening(3), found, closing(3)],
    ),
  }
}

const isObjectList = (id: ObjectId, property: number) => id.type === DEVICE && property === DESCRIBING.objectList

/** The list of all objects, one of them, or how many there are. A device that lies about the number repeats them. */
function objectList({ objects, claims = objects.size }: DeviceState, index: number | undefined): Uint8Array | Outcome {
  const all = [...objects.values()].map(({ id }) => encodeValue({ tag: 'object', value: id }))
  if (index === undefined) return concat(...all)
  if (index === 0) return encodeValue({ tag: 'unsigned', value: claims })
  return all[(index - 1) % all.length] ?? UNKNOWN_PROPERTY
}

function readMany(state: DeviceState, reader: TagReader): Outcome {
  const parts: Uint8Array[] = []
  while (!reader.isAtEnd) {
    const id = objectOf(reader.context(0))
    parts.push(encodeContext(0, objectId(id)), opening(1))
    reader.open(1)
    while (!reader.isNext('closing', 1)) {
      const property = unsignedOf(reader.context(0))
      const found = find(state, id, property)
      parts.push(encodeContext(2, unsigned(property)))
      if (found instanceof Uint8Array) parts.push(opening(4), found, closing(4))
      else if (found.kind === 'error' && !state.failsAsAWhole) parts.push(opening(5), encodeError(found), closing(5))
      else return found
    }
    reader.close(1)
    parts.push(closing(1))
  }
  return { kind: 'result', data: concat(...parts) }
}

export const encodeError = ({ errorClass, code }: { errorClass: number; code: number }) =>
  concat(encodeValue({ tag: 'enumerated', value: errorClass }), encodeValue({ tag: 'enumerated', value: code }))

function find(state: DeviceState, id: ObjectId, property: number): Uint8Array | Outcome {
  if (id.type === DEVICE) {
    if (id.instance !== state.instance && id.instance !== ANY) return UNKNOWN_OBJECT
    const own = { type: DEVICE, instance: state.instance }
    if (property === PROPERTY['object-identifier']) return encodeValue({ tag: 'object', value: own })
    const text = state.texts?.[property]
    if (text !== undefined) return encodeValue({ tag: 'text', value: text })
    if (property !== PROPERTY['max-apdu-length-accepted']) return UNKNOWN_PROPERTY
    return encodeValue({ tag: 'unsigned', value: state.maxApdu })
  }
  const object = state.objects.get(objectText(id))
  if (!object) return UNKNOWN_OBJECT
  if (object.isSilent) return { kind: 'silence' }
  return encodeProperty(object, property) ?? UNKNOWN_PROPERTY
}

function write(state: DeviceState, reader: TagReader): Outcome {
  const object = state.objects.get(objectText(objectOf(reader.context(0))))
  const property = unsignedOf(reader.context(1))
  reader.open(3)
  const value = reader.value()
  reader.close(3)
  const priority = unsignedOf(reader.optionalContext(4) ?? Uint8Array.of(16))
  if (!object) return UNKNOWN_OBJECT
  if (object.isSilent) return { kind: 'silence' }
  const code = writeProperty(object, property, value, priority)
  return code === undefined ? { kind: 'written', object } : { kind: 'error', errorClass: 2, code }
}

function subscribe(state: DeviceState, reader: TagReader): Outcome {
  const processId = unsignedOf(reader.context(0))
  const object = state.objects.get(objectText(objectOf(reader.context(1))))
  reader.optionalContext(2)
  const lifetime = reader.optionalContext(3)
  if (!object) return UNKNOWN_OBJECT
  return { kind: 'subscribe', processId, object, lifetimeSeconds: lifetime && unsignedOf(lifetime) }
}
